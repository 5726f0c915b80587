import type { SigninConfig } from "../config/config.ts";
import { chooseLanguage } from "../texts/languages.ts";
import { TEXTS } from "../texts/texts.ts";
import type { Failure } from "./errors.ts";
import { escapeHtml } from "./escape-html.ts";
import { type Brand, imagePolicy, toHtml } from "./html-document.ts";
import { isSignIn } from "./navigation.ts";

/** A failure as a page: what happened, what to do, and the way back. It has no script, and no text of the request. */
export function failurePage(
  { status, headers, body }: Failure,
  config: Brand & Pick<SigninConfig, "uiUrl">,
  request: Request,
): Response {
  const language = chooseLanguage(request.headers.get("accept-language"));
  const texts = TEXTS[language].page;
  const known: Readonly<Record<string, string>> = texts.failures;
  const title = isSignIn(request) ? texts.failed : texts.pageFailed;
  const html = toHtml(config, {
    language,
    title,
    body: `<main id="view">
<h1>${title}</h1>
<p class="lead">${escapeHtml(known[body.code] ?? body.error)}</p>
<p><a class="button primary" href="${escapeHtml(config.uiUrl)}">${texts.backToSignIn}</a></p>
<p class="soft small">${texts.errorCode}: ${escapeHtml(body.code)}<br>${texts.errorId}: ${escapeHtml(body.request_id)}</p>
</main>`,
  });
  const response = new Response(html, { status, headers });
  response.headers.set("Content-Type", "text/html; charset=utf-8");
  response.headers.set("Content-Language", language);
  response.headers.append("Vary", "Accept-Language");
  response.headers.set(
    "Content-Security-Policy",
    `default-src 'none'; style-src 'self'; ${imagePolicy(config)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  return response;
}
