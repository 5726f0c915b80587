import assert from "node:assert/strict";
import { it } from "node:test";
import { chooseClientAuth } from "../../../signin/providers/client-auth.ts";

it("client id and secret are form-encoded, so that neither a colon nor a letter beyond ASCII breaks the pair", async () => {
  const cases: [id: string, secret: string, pair: string][] = [
    ["my-client.apps", "s_e-c.r*t", "my-client.apps:s_e-c.r*t"],
    ["a:b", "c d+e%", "a%3Ab:c+d%2Be%25"],
    ["ä", "§", "%C3%A4:%C2%A7"],
  ];
  for (const [client_id, secret, pair] of cases) {
    const headers = new Headers();
    const server = { issuer: "https://op" };
    const authenticate = chooseClientAuth({ clientSecret: secret, tokenAuth: "basic" }, server);
    await authenticate(server, { client_id }, new URLSearchParams(), headers);
    assert.equal(headers.get("authorization"), `Basic ${btoa(pair)}`);
  }
});
