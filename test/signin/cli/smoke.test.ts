import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { freePort, startFakeServer } from "../../support/fake-server.ts";
import { cli } from "../../support/signin/cli.ts";

describe("smoke", () => {
  it("says in one line that a server cannot be reached", async () => {
    const { code, out, error } = await cli({}, ["smoke", `http://127.0.0.1:${await freePort()}`]);
    assert.equal(code, 1);
    assert.equal(out, "FAILED  health: the server cannot be reached (ECONNREFUSED)\n");
    assert.equal(error, "1 of 1 checks failed.\n");
  });

  it("fails every check of a server that is something else", async () => {
    await using server = await startFakeServer(() => async () => Response.json({ status: "fine" }));
    const { code, json } = await cli({}, ["--json", "smoke", server.url]);
    assert.equal(code, 1);
    assert.ok(json.length > 10);
    const good = json.filter(({ ok }) => ok).map(({ check }) => check);
    assert.deepEqual(good, ["database and schema", "published keys"]);
  });

  it("shows no control character of an answer, and follows no redirect", async () => {
    await using server = await startFakeServer(
      () => async () =>
        Response.json({ code: "\u001b[2Jgone" }, { status: 302, headers: { location: "/x" } }),
    );
    const { code, out } = await cli({}, ["smoke", `${server.url}/path?query`]);
    assert.equal(code, 1);
    assert.equal(out.includes("\u001b"), false);
    assert.match(out, /GET \/ready is 302 \?\[2Jgone/);
    assert.equal(
      server.takeRequests().some(({ path }) => path.startsWith("/x") || path.startsWith("/path")),
      false,
    );
  });
});
