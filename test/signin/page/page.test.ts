import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { it } from "node:test";
import { gzipSync } from "node:zlib";
import { parseConfig } from "../../../signin/config/config.ts";
import { PAGE_SCRIPT, PAGE_STYLE } from "../../../signin/page/page.generated.ts";
import { pageRoutes } from "../../../signin/page/routes.ts";
import { TEXTS } from "../../../signin/texts/texts.ts";
import { buildPageModule } from "../../../tools/page.ts";
import { TEST_ENV } from "../../support/signin/signin.ts";
import { MAIL_ENV } from "../../support/signin/users.ts";

it("the page that is served is the page that is written", async () => {
  const path = new URL("../../../signin/page/page.generated.ts", import.meta.url);
  assert.equal(await readFile(path, "utf8"), await buildPageModule(), "npm run page:generate");
});

it("the page offers the sign-in providers that are configured, and no other", async () => {
  const config = parseConfig({ ...TEST_ENV });
  for (const [providers, links] of [
    [[], []],
    [config.providers.slice(0, 1), ["/auth/google/login"]],
    [config.providers, ["/auth/google/login", "/auth/github/login"]],
  ] as const) {
    const html = await (await pageRoutes({ ...config, providers }).request("/")).text();
    assert.deepEqual(
      [...html.matchAll(/href="(\/auth[^"]*)"/g)].map(([, href]) => href),
      links,
    );
    assert.equal(html.includes("{{"), false);
  }
});

it("the page shows up to four providers in lines, and more in pairs by their names alone", async () => {
  const config = parseConfig({ ...TEST_ENV });
  for (const [count, isMany] of [
    [4, false],
    [5, true],
  ] as const) {
    const providers = Array.from({ length: count }, (_, at) => ({
      slug: `p${at}`,
      label: `<b>${at}`,
    }));
    const html = await (await pageRoutes({ ...config, providers }).request("/")).text();
    assert.equal(html.includes('class="stack pairs"'), isMany);
    const name = "Continue with &lt;b&gt;0";
    assert.ok(html.includes(`aria-label="${name}"`));
    assert.ok(html.includes(isMany ? "</svg>&lt;b&gt;0</a>" : `</svg>${name}</a>`));
    assert.equal(html.includes("<b>"), false);
  }
});

it("the page says in the language of the browser who may sign up, and nothing where every address may", async () => {
  const { signUpClosed, signUpInvited, signUpDomains } = TEXTS.de.page;
  const domains = signUpDomains.replace("{domains}", "example.test, xn--bcher-kva.test");
  const narrowed = { SIGNUP_ALLOWED_DOMAINS: "Example.test, bücher.test" };
  for (const [variables, note, canSignUp] of [
    [{}, "", true],
    [narrowed, domains, true],
    [{ SIGNUP: "invited", ...narrowed }, signUpInvited, true],
    [{ SIGNUP: "closed", ...narrowed }, signUpClosed, false],
  ] as const) {
    const config = parseConfig({ ...TEST_ENV, ...MAIL_ENV, ...variables });
    const headers = { "Accept-Language": "de" };
    const html = await (await pageRoutes(config).request("/", { headers })).text();
    assert.equal(html.includes(`<p class="soft small">${note}</p>`), note !== "");
    const [, facts = ""] = /<template id="facts">(.*)<\/template>/.exec(html) ?? [];
    const shown = JSON.parse(facts.replaceAll("&quot;", '"').replaceAll("&#39;", "'"));
    assert.deepEqual([shown.signUpNote, shown.canSignUp], [note, canSignUp]);
  }
});

it("the page's script and style have less than 40 KiB gzip together", () => {
  const bytes = gzipSync(PAGE_SCRIPT).length + gzipSync(PAGE_STYLE).length;
  assert.ok(bytes < 40 * 1024, `${bytes} bytes`);
});

it("the page is in the language of the browser, and loads no other", async () => {
  const routes = pageRoutes(parseConfig({ ...TEST_ENV }));
  for (const [header, language, own, other] of [
    ["de-AT, en;q=0.5", "de", "Anmelden", "ログイン"],
    ["ja", "ja", "ログイン", "Anmelden"],
    ["sv", "en", "Sign in", "Anmelden"],
  ] as const) {
    const answer = await routes.request("/", { headers: { "Accept-Language": header } });
    assert.equal(answer.headers.get("content-language"), language);
    assert.equal(answer.headers.get("vary"), "Accept-Language");
    const html = await answer.text();
    assert.match(html, new RegExp(`<html lang="${language}">`));
    assert.match(html, new RegExp(`<h1>${own}</h1>`));
    assert.equal(html.includes(other), false, language);
  }
});

it("the page has the operator's name and logo, and its policy the origin of the logo alone", async () => {
  const APP_NAME = 'Notes & <b>"Co"';
  const APP_LOGO_URL = "https://cdn.example.test/img/logo.png?v=1&w=2";
  const plain = await pageRoutes(parseConfig({ ...TEST_ENV })).request("/");
  const branded = await pageRoutes(parseConfig({ ...TEST_ENV, APP_NAME, APP_LOGO_URL })).request(
    "/",
  );
  const [before, after] = [plain, branded].map(({ headers }) =>
    (headers.get("content-security-policy") ?? "").split("; "),
  );
  assert.deepEqual(
    after?.filter((rule) => !before?.includes(rule)),
    ["img-src 'self' https://cdn.example.test"],
  );
  const html = await branded.text();
  assert.match(html, /<span>Notes &amp; &lt;b&gt;&quot;Co&quot;<\/span>/);
  assert.match(
    html,
    /<img class="mark" src="https:\/\/cdn\.example\.test\/img\/logo\.png\?v=1&amp;w=2" alt=""/,
  );
  assert.match(await plain.text(), /<svg class="mark"/);
});
