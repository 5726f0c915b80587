import assert from "node:assert/strict";
import type { Hostility } from "./adversarial-provider.ts";
import type { SigninHarness } from "./harness.ts";
import type { Answer } from "./user-agent.ts";

const TABLES = ["users", "identities", "sessions", "native_codes"] as const;

/** How many rows there are that a refusal must not add to. */
async function rowCounts(harness: SigninHarness): Promise<number[]> {
  return Promise.all(TABLES.map((table) => harness.count(table)));
}

/**
 * Asserts that what `attempt` does is refused safely: a 4xx or 502 with a plain body, no session cookie, no new row.
 * Returns the answer.
 */
export async function assertSafe(
  harness: SigninHarness,
  attempt: () => Promise<Answer>,
  statuses: readonly number[] = [400, 401, 403, 404, 409, 502],
): Promise<Answer> {
  const before = await rowCounts(harness);
  const answer = await attempt();
  assert.equal(statuses.includes(answer.status), true, `${answer.status} ${answer.text}`);
  const cookies = answer.headers.getSetCookie();
  assert.equal(
    cookies.some((line) => /signin_rt=[^;]/.test(line)),
    false,
    "a refusal starts no session",
  );
  assert.deepEqual(await rowCounts(harness), before, "a refusal adds no row");
  return answer;
}

const AS_JSON = { headers: { Accept: "application/json" } };

/** One sign-in of a new person under a hostile provider; also what was asked of the provider after the token. */
async function attemptOidc(
  harness: SigninHarness,
  hostility: Hostility,
): Promise<{ answer: Answer; laterPaths: string[] }> {
  using _ = harness.oidc.use(hostility);
  const agent = harness.agent();
  const callback = await harness.consent(await harness.begin(agent, "google"));
  harness.oidc.takeRequests();
  const answer = await agent.get(callback, AS_JSON);
  const paths = harness.oidc.takeRequests().map(({ path }) => path);
  return { answer, laterPaths: paths.slice(paths.indexOf("/token") + 1) };
}

/** Asserts that a new person's sign-in is refused safely, and that the provider is asked nothing more for it. */
export async function assertOidcRefused(
  harness: SigninHarness,
  hostility: Hostility,
): Promise<Answer> {
  let asked: string[] = [];
  const answer = await assertSafe(harness, async () => {
    const attempt = await attemptOidc(harness, hostility);
    asked = attempt.laterPaths;
    return attempt.answer;
  });
  assert.deepEqual(
    asked.filter((path) => path !== "/jwks"),
    [],
    "no further call to the provider",
  );
  return answer;
}

/** Asserts that a new person's sign-in succeeds. */
export async function assertOidcAccepted(
  harness: SigninHarness,
  hostility: Hostility,
): Promise<void> {
  const { answer } = await attemptOidc(harness, hostility);
  assert.equal(answer.status, 302, answer.text);
  assert.equal(answer.location?.search, "?auth=success");
}
