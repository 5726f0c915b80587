import assert from "node:assert/strict";
import type { Hostility } from "./adversarial-provider.ts";
import type { Answer } from "./user-agent.ts";
import type { SigninWorld } from "./world.ts";

const TABLES = ["users", "identities", "sessions", "native_codes"] as const;

/** How many rows there are that a refusal must not add to. */
export async function rowCounts(world: SigninWorld): Promise<number[]> {
  return Promise.all(TABLES.map((table) => world.count(table)));
}

/**
 * Asserts that what `attempt` does is refused safely: a 4xx or 502 with a plain body, no session cookie, no new row.
 * Returns the answer.
 */
export async function assertSafe(
  world: SigninWorld,
  attempt: () => Promise<Answer>,
  statuses: readonly number[] = [400, 401, 403, 404, 409, 502],
): Promise<Answer> {
  const before = await rowCounts(world);
  const answer = await attempt();
  assert.equal(statuses.includes(answer.status), true, `${answer.status} ${answer.text}`);
  const cookies = answer.headers.getSetCookie();
  assert.equal(
    cookies.some((line) => /signin_rt=[^;]/.test(line)),
    false,
    "a refusal starts no session",
  );
  assert.deepEqual(await rowCounts(world), before, "a refusal adds no row");
  return answer;
}

const AS_JSON = { headers: { Accept: "application/json" } };

/** One sign-in of a new person under a hostile provider; also what was asked of the provider after the token. */
export async function attemptOidc(
  world: SigninWorld,
  hostility: Hostility,
): Promise<{ answer: Answer; laterPaths: string[] }> {
  using _ = world.oidc.use(hostility);
  const agent = world.agent();
  const callback = await world.consent(await world.begin(agent, "google"));
  world.oidc.takeRequests();
  const answer = await agent.get(callback, AS_JSON);
  const paths = world.oidc.takeRequests().map(({ path }) => path);
  return { answer, laterPaths: paths.slice(paths.indexOf("/token") + 1) };
}

/** Asserts that a new person's sign-in is refused safely, and that the provider is asked nothing more for it. */
export async function assertOidcRefused(world: SigninWorld, hostility: Hostility): Promise<Answer> {
  let asked: string[] = [];
  const answer = await assertSafe(world, async () => {
    const attempt = await attemptOidc(world, hostility);
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
export async function assertOidcAccepted(world: SigninWorld, hostility: Hostility): Promise<void> {
  const { answer } = await attemptOidc(world, hostility);
  assert.equal(answer.status, 302, answer.text);
  assert.equal(answer.location?.search, "?auth=success");
}
