import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { it } from "node:test";
import { parseConfig } from "../../../signin/config/config.ts";
import { pageRoutes } from "../../../signin/page/routes.ts";
import { buildPageModule } from "../../../tools/page.ts";
import { TEST_ENV } from "../../support/signin/signin.ts";

it("the page that is served is the page that is written", async () => {
  const path = new URL("../../../signin/page/page.generated.ts", import.meta.url);
  assert.equal(await readFile(path, "utf8"), await buildPageModule(), "npm run page:generate");
});

it("the page offers the sign-in providers that are configured, and no other", async () => {
  const config = parseConfig({ ...TEST_ENV });
  const { oidc } = config;
  for (const [providers, links] of [
    [{ oidc: undefined, oauth: undefined }, []],
    [{ oidc, oauth: undefined }, ["/auth/google/login"]],
  ] as const) {
    const html = await (await pageRoutes({ ...config, ...providers }).request("/")).text();
    assert.deepEqual(
      [...html.matchAll(/href="(\/auth[^"]*)"/g)].map(([, href]) => href),
      links,
    );
    assert.equal(html.includes("{{"), false);
  }
});
