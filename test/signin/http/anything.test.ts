// Slow: it sends requests at random.
import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { signIn } from "../../support/signin/flows.ts";
import { createTestSignin, UI_URL } from "../../support/signin/signin.ts";

const CANARY = "canary7f3a";

const paths = fc.constantFrom(
  "/auth/google/login",
  "/auth/github/login",
  "/auth/google/callback",
  "/auth/native/token",
  "/auth/apikey",
  "/auth/google/disconnect",
  `/auth/${CANARY}/login`,
  `/auth/${CANARY}/callback`,
  "/auth/me",
  "/auth/providers",
  "/auth/refresh",
  "/auth/logout",
  `/${CANARY}`,
);
const names = fc.constantFrom(
  "state",
  "code",
  "error",
  "iss",
  "mode",
  "native",
  "redirect_to",
  "code_challenge",
  "code_challenge_method",
  "response",
);
const texts = fc.oneof(
  fc.constantFrom(
    "link",
    "true",
    "S256",
    `http://127.0.0.1:1/${CANARY}`,
    "access_denied",
    "google",
    "\u0000",
    "%",
  ),
  fc.string({ maxLength: 40 }).map((text) => CANARY + text),
);
const queries = fc.array(fc.tuple(names, texts), { maxLength: 5 });
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    texts,
    fc.constantFrom(null, true, 0, -1, 1e300),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        "code",
        "code_verifier",
        "provider_slug",
        "api_key",
        "refresh_token",
        "scope",
        "__proto__",
        "x",
      ),
      tie("value"),
      { maxKeys: 4 },
    ),
  ),
})).value;

it("whatever is sent, the answer is no fault of the server and repeats nothing of it", async () => {
  await using signin = await createTestSignin();
  const { accessToken, cookie } = await signIn(signin);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("GET", "POST", "DELETE", "PUT", "PATCH"),
      paths,
      queries,
      fc.option(values, { nil: undefined }),
      fc.boolean(),
      async (method, path, query, body, isKnown) => {
        const hasBody = method !== "GET" && body !== undefined;
        const response = await signin.call(method, `${path}?${new URLSearchParams(query)}`, {
          ...(hasBody ? { body: JSON.stringify(body) } : {}),
          ...(isKnown
            ? { bearer: accessToken, cookie, origin: UI_URL }
            : { cookie: `signin_rt=${CANARY}` }),
          headers: { accept: isKnown ? "text/html" : "application/json" },
        });
        const text = await response.text();
        assert.ok(response.status < 500, `${method} ${path} ${response.status} ${text}`);
        // A native sign-in may begin; the address of the provider holds nothing of the input either.
        assert.equal(text.includes(CANARY), false, text);
        const location = response.headers.get("location") ?? "";
        assert.match(location, /^$|^https:\/\/(op|hub|app)\.example\.test/);
        signin.deps.clock.advance(10_000);
      },
    ),
    { numRuns: 400 },
  );
  assert.equal(signin.logged.join().includes(CANARY), false);
});
