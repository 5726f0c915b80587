// Slow: it takes seconds of the processor; the fast run leaves it out.
import { describe, it } from "node:test";
import { createSigninClient } from "../../../signin/client/client.ts";
import { AnswerJudge } from "../../support/schemas.ts";
import { keptCookies } from "../../support/signin/flows.ts";
import { createPasskeySignin, device, type PasskeySignin } from "../../support/signin/passkeys.ts";
import { APPLE_ENV } from "../../support/signin/played-providers.ts";
import { BASE_URL } from "../../support/signin/signin.ts";
import { CLIENT_ADDRESS } from "../../support/signin/users.ts";
import { SIGNIN_CALLS } from "./operation-calls.ts";

/** A `fetch` of the server in this process, as the page of the server itself has it: with its cookies and its origin. */
function pageFetch(signin: PasskeySignin): typeof fetch {
  const cookies = new Map<string, string>();
  return async (input, init) => {
    const request = new Request(input, init);
    if (request.method !== "GET") request.headers.set("origin", BASE_URL);
    if (request.credentials === "include" && cookies.size > 0) {
      request.headers.set("cookie", [...cookies.values()].join("; "));
    }
    const pending: Promise<unknown>[] = [];
    const waitUntil = (work: Promise<unknown>) => void pending.push(work);
    const response = await signin.signin.fetch(request, { address: CLIENT_ADDRESS, waitUntil });
    await Promise.all(pending);
    for (const cookie of keptCookies(response)) cookies.set(cookie.split("=", 1)[0] ?? "", cookie);
    return response;
  };
}

describe("every operation of the sign-in server", () => {
  it("is called once through the client, with an answer that the document describes", async () => {
    await using signin = await createPasskeySignin(APPLE_ENV);
    const judge = new AnswerJudge("signin/openapi.json");
    const fetch = judge.watch(pageFetch(signin));
    const harness = {
      signin,
      client: createSigninClient({ baseUrl: BASE_URL, cookie: true, fetch }),
      open: (url: string, init?: RequestInit) => fetch(url, init),
      native: { verifier: "", url: "", code: "" },
      device: device(),
      passkeyId: "",
      factor: {},
    };
    await judge.callEvery(SIGNIN_CALLS, harness);
  });
});
