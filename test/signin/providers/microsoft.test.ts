import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { beginFlow, openCallback, refusalOf, signIn } from "../../support/signin/flows.ts";
import { PLAYED_ENV, TENANT } from "../../support/signin/played-providers.ts";
import { BASE_URL, createTestSignin, type TestSignin } from "../../support/signin/signin.ts";
import { MAIL_ENV } from "../../support/signin/users.ts";

const MICROSOFT = "https://login.microsoftonline.com";
const CONSUMERS = "9188040d-6c67-4c5b-b112-36a304b66dad";
const PERSON = { subject: "80351110224678912", name: "Ada Lovelace" };

const create = (env: Record<string, string> = {}) =>
  createTestSignin({ ...PLAYED_ENV, ...MAIL_ENV, ...env });

describe("Microsoft", () => {
  const attempt = async (signin: TestSignin, claims: object) => {
    signin.idp.claims = { ...claims };
    return openCallback(signin, await beginFlow(signin, "microsoft"), PERSON);
  };
  const of = (tid: unknown) => ({ tid, iss: `${MICROSOFT}/${tid}/v2.0` });
  const accepted = (response: Response) =>
    response.headers.get("location") === `${BASE_URL}/#finish`;

  for (const [name, claims] of Object.entries({
    "the template itself": { iss: `${MICROSOFT}/{tenantid}/v2.0` },
    "no tenant": { tid: undefined },
    "a tenant that is no UUID": of("common"),
    "a tenant with a path": of(`${TENANT}/..`),
    "another tenant than its issuer's": { tid: CONSUMERS },
    "another issuer than its tenant's": { iss: `${MICROSOFT}/${CONSUMERS}/v2.0` },
    "an issuer elsewhere": { iss: `https://login.example.test/${TENANT}/v2.0` },
    "the old issuer": { iss: `https://sts.windows.net/${TENANT}/` },
  })) {
    it(`of ${name} is refused`, async () => {
      await using signin = await create();
      assert.equal(await refusalOf(await attempt(signin, claims)), "403 identity_rejected");
      assert.deepEqual(await signin.rows("SELECT 1 FROM users"), []);
    });
  }

  const OTHER = "11111111-2222-3333-4444-555555555555";
  for (const [env, allowed] of [
    [{}, [TENANT, CONSUMERS, OTHER]],
    [{ TENANT: "organizations" }, [TENANT, OTHER]],
    [{ TENANT: "consumers" }, [CONSUMERS]],
    [{ TENANT: TENANT.toUpperCase() }, [TENANT]],
    [{ TENANT: "contoso.onmicrosoft.com" }, [TENANT]],
    [{ ISSUER: `${MICROSOFT}/common/v2.0`, TENANT: "organizations" }, [TENANT, OTHER]],
    [{ ISSUER: `${MICROSOFT}/${TENANT}/v2.0` }, [TENANT]],
  ] as const) {
    it(`with ${JSON.stringify(env)} takes people of ${allowed.join(" and ")}`, async () => {
      const own = Object.entries(env).map(([name, value]) => [`PROVIDER_MICROSOFT_${name}`, value]);
      await using signin = await create(Object.fromEntries(own));
      // The metadata of one tenant name it; those of several have the template.
      signin.idp.intercept = ({ url }) => {
        const [, tenant = ""] = /\/([^/]+)\/v2\.0\/\.well-known/.exec(url) ?? [];
        const ids: Record<string, string> = { common: "{tenantid}", organizations: "{tenantid}" };
        const id = tenant === "consumers" ? CONSUMERS : (ids[tenant] ?? TENANT);
        if (tenant === "") return undefined;
        return Response.json({
          issuer: `${MICROSOFT}/${id}/v2.0`,
          authorization_endpoint: `${MICROSOFT}/${tenant}/oauth2/v2.0/authorize`,
          token_endpoint: `${MICROSOFT}/common/oauth2/v2.0/token`,
          jwks_uri: `${MICROSOFT}/common/discovery/v2.0/keys`,
        });
      };
      const taken: string[] = [];
      for (const tid of [TENANT, CONSUMERS, OTHER]) {
        if (accepted(await attempt(signin, of(tid)))) taken.push(tid);
      }
      assert.deepEqual(taken, allowed);
    });
  }

  it("of a key for another tenant is refused, and one without an issuer is not", async () => {
    await using signin = await create();
    const [key] = signin.idp.jwks.keys;
    const serve = (own: object) => {
      signin.deps.clock.advance(301_000);
      signin.idp.intercept = ({ url }) =>
        url.endsWith("/discovery/v2.0/keys")
          ? Response.json({ keys: [{ ...key, ...own }] })
          : undefined;
    };
    for (const [issuer, isGood] of [
      [`${MICROSOFT}/${CONSUMERS}/v2.0`, false],
      [`https://login.example.test/{tenantid}/v2.0`, false],
      [7, false],
      [`${MICROSOFT}/${TENANT}/v2.0`, true],
      [undefined, true],
    ] as const) {
      serve({ issuer });
      const response = await attempt(signin, {});
      assert.equal(accepted(response), isGood, String(issuer));
    }
  });

  it("in metadata of another place is refused", async () => {
    await using signin = await create();
    signin.idp.intercept = ({ url }) =>
      url.includes("/.well-known/")
        ? Response.json({ issuer: "https://login.example.test/{tenantid}/v2.0" })
        : undefined;
    const response = await signin.call("GET", "/auth/microsoft/login");
    assert.equal(await refusalOf(response), "502 provider_error");
  });

  it("asks a person who links which account", async () => {
    await using signin = await create();
    const { accessToken: bearer } = await signIn(signin);
    const { url } = await beginFlow(signin, "microsoft", { bearer });
    assert.equal(new URL(url).searchParams.get("prompt"), "select_account");
  });
});
