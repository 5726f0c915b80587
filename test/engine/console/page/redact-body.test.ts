import assert from "node:assert/strict";
import { it } from "node:test";
import { redactBody } from "../../../../engine/console/page/redact-body.ts";

const CANARY = "canary-9f31";

it("a listed request has no secret", () => {
  for (const body of [
    { apiKey: CANARY },
    { cloudAccessKeyId: CANARY, cloudSecretAccessKey: CANARY, cloudSessionToken: CANARY },
    { headers: { "X-Any": CANARY } },
    { authConfigJson: JSON.stringify({ Authorization: CANARY }) },
    { email: "ada@example.org", password: CANARY },
    { refresh_token: CANARY },
    { code: CANARY },
    [{ key: "theme", value: CANARY }],
    { deep: [{ apiKey: CANARY }] },
  ]) {
    assert.equal(redactBody(JSON.stringify(body)).includes(CANARY), false, JSON.stringify(body));
  }
  assert.equal(redactBody(`{"apiKey": "${CANARY}`).includes(CANARY), false);
});

it("what is no secret stays as it was sent", () => {
  const body =
    '{"name":"Notes","directories":"[\\"/a\\"]","limit":8,"clearApiKey":false,"apiKey":null}';
  assert.equal(redactBody(body), body);
});
