import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { get } from "../../shared/http/route.ts";
import { MARK_FILE } from "../../shared/mark.ts";
import { findPending, type PendingIdentity } from "../accounts/pending-identity.ts";
import type { SigninConfig } from "../config/config.ts";
import type { ProviderName } from "../config/provider-config.ts";
import { readPendingCookie } from "../http/cookies.ts";
import { escapeHtml } from "../http/escape-html.ts";
import { type Brand, imagePolicy, pagePolicy, toHtml } from "../http/html-document.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { COMMON_PASSWORD_HASHES } from "../passwords/common-passwords.generated.ts";
import { fill } from "../texts/fill.ts";
import { chooseLanguage, type Language } from "../texts/languages.ts";
import { TEXTS } from "../texts/texts.ts";
import type { PageFacts, PendingFacts } from "./facts.ts";
import { PAGE_SCRIPT, PAGE_STYLE } from "./page.generated.ts";
import { providerMark } from "./provider-marks.ts";

type PageConfig = Brand &
  Pick<SigninConfig, "mail" | "signUp" | "secure" | "uiUrl"> & {
    providers: readonly Pick<ProviderName, "slug" | "label">[];
  };

const PROVIDERS_IN_LINES_MAX = 4;

/**
 * The page at `/`, in the language of the browser: signs in through each configured provider or with a password, and shows the
 * account. Its script takes the place of what is written here; without it the providers work.
 */
export function pageRoutes(config: PageConfig): OpenAPIHono {
  const policy = pagePolicy([imagePolicy(config), "connect-src 'self'"]);
  const pages = new Map<Language, string>();
  const pageIn = (language: Language) => {
    const html = pages.get(language) ?? toPage(config, language);
    pages.set(language, html);
    return html;
  };
  return createRouter("page", [
    get("/", {
      operationId: "getPage",
      summary: "Get the sign-in and account page",
      description: "HTML for a browser. Programs use the other operations.",
      ...publicFile("text/html"),
      handler: async (c) => {
        const language = chooseLanguage(c.req.header("accept-language"));
        const { headers } = c.req.raw;
        const isPending = readPendingCookie(config, headers) !== undefined;
        const pending = isPending ? await findPending(scopeOf(c), headers) : undefined;
        const html = pending ? toPage(config, language, pending) : pageIn(language);
        const response = file(html, "text/html", policy);
        response.headers.set("Content-Language", language);
        response.headers.set("Vary", "Accept-Language");
        return response;
      },
    }),
    get("/page/style.css", {
      operationId: "getPageStyle",
      summary: "Get the style sheet of the page",
      description: "CSS that the page loads.",
      ...publicFile("text/css"),
      handler: () => file(PAGE_STYLE, "text/css", policy),
    }),
    get("/page/script.js", {
      operationId: "getPageScript",
      summary: "Get the script of the page",
      description: "JavaScript that the page loads.",
      ...publicFile("text/javascript"),
      handler: () => file(PAGE_SCRIPT, "text/javascript", policy),
    }),
    get("/page/icon.svg", {
      operationId: "getPageIcon",
      summary: "Get the built-in mark",
      description: "An SVG image that browsers show beside the title.",
      ...publicFile("image/svg+xml"),
      handler: () => file(MARK_FILE, "image/svg+xml", policy),
    }),
    get("/page/common-passwords.txt", {
      operationId: "getPageCommonPasswords",
      summary: "Get the list of common passwords",
      description:
        "Parts of SHA-256 hashes, with which the page compares a new password as the server does.",
      ...publicFile("text/plain"),
      handler: () => file(COMMON_PASSWORD_HASHES, "text/plain", policy),
    }),
  ]);
}

/** The part of a declaration that a file for anybody has. */
function publicFile(type: string) {
  const content = { [type]: { schema: z.string() } };
  return { security: [], responses: { 200: { description: "Success", content } } };
}

function file(text: string, type: string, policy: string): Response {
  return new Response(text, {
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Content-Security-Policy": policy,
      "Cross-Origin-Opener-Policy": "same-origin",
    },
  });
}

function toPage(config: PageConfig, language: Language, identity?: PendingIdentity): string {
  const texts = TEXTS[language].page;
  const hasMail = config.mail.kind !== "none";
  const signUpNote = describeSignUp(config, texts);
  const note = signUpNote && `<p class="soft small">${signUpNote}</p>\n`;
  const canSignUp = hasMail && config.signUp.rule !== "closed";
  const pending = identity && toPendingFacts(config, identity);
  const facts: PageFacts = { language, texts, hasMail, canSignUp, signUpNote, pending };
  const json = escapeHtml(JSON.stringify(facts));
  return toHtml(config, {
    language,
    title: texts.signIn,
    head: '\n<script type="module" src="/page/script.js"></script>',
    body: `<main id="view" aria-busy="true">
<h1>${texts.signIn}</h1>
<div id="providers" class="stack${isMany(config) ? " pairs" : ""}">${providerLinks(config, language)}</div>
${note}<noscript><p class="note">${texts.noScript}</p></noscript>
</main>
<div id="toast"><p id="notice" role="status"></p></div>
<template id="facts">${json}</template>`,
  });
}

function toPendingFacts(
  { providers, uiUrl }: PageConfig,
  { provider, claimedEmail: email = "" }: PendingIdentity,
): PendingFacts {
  const label = providers.find(({ slug }) => slug === provider)?.label ?? provider;
  return { provider: label, email, next: `${uiUrl}?auth=success` };
}

// A domain needs no escaping: it is in ASCII.
function describeSignUp(
  { signUp: { rule, domains } }: PageConfig,
  texts: PageFacts["texts"],
): string {
  if (rule === "closed") return texts.signUpClosed;
  if (rule === "invited") return texts.signUpInvited;
  return domains.length === 0 ? "" : fill(texts.signUpDomains, { domains: domains.join(", ") });
}

/** Many providers are shown in pairs, with only their names: the form below stays visible. */
function isMany({ providers }: PageConfig): boolean {
  return providers.length > PROVIDERS_IN_LINES_MAX;
}

// A slug needs no escaping.
function providerLinks(config: PageConfig, language: Language): string {
  return config.providers
    .map(({ slug, label }) => {
      const name = escapeHtml(label);
      const text = fill(TEXTS[language].page.continueWith, { provider: name });
      const data = `data-provider="${slug}" data-name="${name}" aria-label="${text}"`;
      return `<a class="button" href="/auth/${slug}/login" ${data}>${providerMark({ slug, label })}${isMany(config) ? name : text}</a>`;
    })
    .join("");
}
