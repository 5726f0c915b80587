import { escapeHtml } from "../../http/escape-html.ts";
import { type Brand, imagePolicy, pagePolicy, toHtml } from "../../http/html-document.ts";
import { MAILBOX_MAILS_MAX } from "../../limits.ts";
import type { KeptMail } from "./mailbox.ts";

/** A mail for programs: `created_at` is ISO 8601, `code` is null if the mail has none. */
export function toJson({ id, at, to, subject, code, state, text, html }: KeptMail) {
  return {
    id,
    created_at: new Date(at).toISOString(),
    to,
    subject,
    code: code ?? null,
    state,
    text,
    html: html ?? null,
  };
}

/** The list, the newest mail first. */
export function listPage(brand: Brand, mails: readonly KeptMail[]): Response {
  const rows = mails.map(listRow).join("\n");
  return page(brand, {
    title: "Mails",
    body: `<div class="head"><h1>Mails</h1><a class="button" href="/dev/mail">Reload</a></div>
<p class="soft">The last ${MAILBOX_MAILS_MAX} mails of this server, in development alone. They are kept in memory until it stops.</p>
${rows === "" ? '<p class="note">No mail yet.</p>' : `<ul class="rows">\n${rows}\n</ul>`}`,
  });
}

/** One mail: its text, and its HTML in a frame without scripts, forms and an origin. */
export function mailPage(brand: Brand, mail: KeptMail): Response {
  const { to, subject, code, text, html } = mail;
  const shown = html === undefined ? "" : frame(html);
  return page(brand, {
    title: subject,
    // The HTML of mails has its style in attributes, and the frame inherits this policy.
    policy: ["style-src-attr 'unsafe-inline'"],
    body: `<p><a href="/dev/mail">All mails</a></p>
<h1>${escapeHtml(subject)}</h1>
<dl>
<div><dt>To</dt><dd>${escapeHtml(to)}</dd></div>
<div><dt>Time</dt><dd>${time(mail)} ${badge(mail)}</dd></div>
${code === undefined ? "" : `<div><dt>Code</dt><dd>${codeAndButton(code)}</dd></div>`}
</dl>
${shown}
<h2 id="text">Text</h2>
<pre aria-labelledby="text" tabindex="0">${escapeHtml(text)}</pre>`,
  });
}

function listRow(mail: KeptMail): string {
  const { id, to, subject, code } = mail;
  return `<li class="mail"><div class="row-words">
<a class="row-title" href="/dev/mail/${id}">${escapeHtml(subject)}</a>${badge(mail)}
<span class="row-note">${escapeHtml(to)} · ${time(mail)}</span>
</div>${code === undefined ? "" : codeAndButton(code)}</li>`;
}

// The script shows the button: without it there is nothing that copies.
function codeAndButton(code: string): string {
  const value = escapeHtml(code);
  return `<span class="copy"><code>${value}</code><button type="button" data-code="${value}" aria-label="Copy ${value}" hidden>Copy</button></span>`;
}

function frame(html: string): string {
  return `<h2 id="html">HTML</h2>
<iframe sandbox title="The HTML of the mail" srcdoc="${escapeHtml(html)}"></iframe>`;
}

function time({ at }: KeptMail): string {
  const iso = new Date(at).toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")} UTC</time>`;
}

function badge({ state }: KeptMail): string {
  if (state === "sent") return "";
  return `<span class="badge">${state === "failed" ? "not sent" : "is being sent"}</span>`;
}

function page(
  brand: Brand,
  { title, body, policy = [] }: { title: string; body: string; policy?: string[] },
): Response {
  const html = toHtml(brand, {
    language: "en",
    title,
    style: "/dev/mail/style.css",
    head: '\n<script type="module" src="/dev/mail/script.js"></script>',
    body: `<main id="view">\n${body}\n</main>\n<div id="toast"><p id="notice" role="status"></p></div>`,
  });
  const rules = pagePolicy([...policy, imagePolicy(brand)]);
  return new Response(html, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": rules,
      "Cross-Origin-Opener-Policy": "same-origin",
    },
  });
}
