import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import type { SigninConfig } from "../config/config.ts";
import { PAGE_HTML, PAGE_SCRIPT, PAGE_STYLE } from "./page.generated.ts";

// Scripts and styles are files of this server alone: an injected one does not run.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const NAMES: Readonly<Record<string, string>> = { google: "Google", github: "GitHub" };

/** The page at `/`: signs in through each configured provider or with a password, and shows the account. */
export function pageRoutes(config: Pick<SigninConfig, "oidc" | "oauth">): OpenAPIHono {
  const html = PAGE_HTML.replace("{{login-links}}", loginLinks(config));
  const api = new OpenAPIHono();
  for (const [path, type, text] of [
    ["/", "text/html", html],
    ["/page/style.css", "text/css", PAGE_STYLE],
    ["/page/script.js", "text/javascript", PAGE_SCRIPT],
  ] as const) {
    const content = { [type]: { schema: z.string() } };
    const responses = { 200: { description: "Success", content } };
    api.openapi(createRoute({ method: "get", path, security: [], responses }), () =>
      file(text, type),
    );
  }
  return api;
}

function file(text: string, type: string): Response {
  return new Response(text, {
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Content-Security-Policy": POLICY,
      "Cross-Origin-Opener-Policy": "same-origin",
    },
  });
}

// A slug has only a-z, 0-9, - and _ (config/variables.ts): nothing to escape.
function loginLinks({ oidc, oauth }: Pick<SigninConfig, "oidc" | "oauth">): string {
  return [oidc, oauth]
    .flatMap((provider) => provider?.slug ?? [])
    .map((slug) => `<li><a href="/auth/${slug}/login">Sign in with ${NAMES[slug] ?? slug}</a></li>`)
    .join("");
}
