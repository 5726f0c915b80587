import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { type OpenChat, openChat } from "../support/browser/console.ts";
import { sharedPlace } from "../support/browser/shared.ts";
import { json } from "../support/http.ts";
import { untilEqual } from "../support/time.ts";

const MIB = 1024 * 1024;

// Each runs a script, loads something, leaves the page or covers it, where it is taken for markup.
const MARKUP = [
  "<script>window.ran = true</script>",
  "<img src=x onerror='window.ran = true'>",
  "<img src='https://example.org/pixel.png'>",
  "<svg/onload=window.ran=true>",
  "<iframe srcdoc='<script>parent.ran = true</script>'></iframe>",
  "<a href='javascript:window.ran=true'>press</a>",
  "<style>body { display: none }</style>",
  "<form action='https://example.org'><input name=a></form>",
  "<meta http-equiv=refresh content='0;url=https://example.org'>",
  "<base href='https://example.org/'>",
  "</p></div></main><h1>Signed out</h1>",
];
const MARKDOWN = [
  "![pixel](https://example.org/pixel.png)",
  "![x](javascript:window.ran=true)",
  "[press](javascript:window.ran=true)",
  "[press](data:text/html,<script>window.ran=true</script>)",
  "[press](vbscript:x)",
  "[console](#/home)",
  "[bank.example](https://evil.example/login)",
  "[a]: javascript:window.ran=true\n\n[a]",
  "<javascript:window.ran=true>",
  "$\\href{javascript:window.ran=true}{x}$ $\\includegraphics{https://example.org/x.png}$",
  "$\\style{position:fixed;inset:0}{x}$ $\\def\\a{\\a\\a}\\a$ $\\rule{9999em}{9999em}$",
  "\u202egnp.tpircs\u202c and \u0000\u001b[31m",
  `| ${"a | ".repeat(300)}\n|${"-|".repeat(300)}`,
  ">".repeat(5000),
  "* ".repeat(5000),
];

// What is written, and what of it is in the page.
const FORMS = [
  ["a **b** c", "<p>a <strong>b</strong> c</p>"],
  ["*a* ~~b~~", "<p><em>a</em> <del>b</del></p>"],
  ["`<b>&amp;`", "<p><code>&lt;b&gt;&amp;amp;</code></p>"],
  ["a\nb<br>c", "<p>a<br>b<br>c</p>"],
  [
    "&lt;b&gt; &copy; &#65; &nope; &constructor;",
    "<p>&lt;b&gt; © A &amp;nope; &amp;constructor;</p>",
  ],
  ["\\*a\\*", "<p>*a*</p>"],
  ["$5 and $10, $ 5 $, $5-$6, $$", "<p>$5 and $10, $ 5 $, $5-$6, $$</p>"],
  ["## a", "<h4>a</h4>"],
  ["> a", "<blockquote><p>a</p></blockquote>"],
  ["3. a", '<ol start="3"><li><p>a</p></li></ol>'],
  ["- [x] a", '<ul><li><input type="checkbox" disabled="" aria-label="Task"><p>a</p></li></ul>'],
  [
    "- [ ] a\n- b",
    '<ul><li><input type="checkbox" disabled="" aria-label="Task"><p>a</p></li><li><p>b</p></li></ul>',
  ],
  ["---", "<hr>"],
  ["<div>a</div>", '<p class="plain">&lt;div&gt;a&lt;/div&gt;</p>'],
] as const;

async function storeThread({ engine, workspaceUuid }: OpenChat, messages: object[], title: string) {
  const thread = await json(await engine.call("POST", "/threads", { workspaceUuid, title }));
  for (const message of messages) {
    const input = { threadUuid: thread.uuid, role: "assistant", ...message };
    await json(await engine.call("POST", "/messages", input));
  }
  return thread.uuid;
}

describe("hostile output in the chat page", { skip: NO_CHROMIUM }, () => {
  it("is text: no markup runs, no image loads, no link leads elsewhere than it shows", async () => {
    await using chat = await openChat(await sharedPlace());
    const { page } = chat;
    const title = "<img src=x onerror=window.ran=true>";
    const record = {
      tool_call_id: MARKUP[0],
      tool_name: "read_file\u202e",
      operation: MARKUP[1],
      arguments: { path: MARKUP[2], "\u202e": MARKUP[3] },
      status: "completed",
      result: MARKUP.join("\n"),
      duration_ms: 1,
    };
    const messages = [
      ...[...MARKUP, ...MARKDOWN].map((content) => ({ content })),
      { content: MARKUP.join("\n"), role: "user" },
      { content: JSON.stringify(record), role: "tool" },
      { content: MARKUP.join("\n"), role: "system" },
    ];
    const uuid = await storeThread(chat, messages, title);
    await chat.show("chat", chat.workspaceUuid, uuid);
    await page.getByRole("heading", { name: title }).waitFor();
    await page
      .locator(".entry-row")
      .nth(messages.length - 1)
      .waitFor();
    await page.locator("details.tool summary").click();
    await page.locator("details.tool code").getByText("read_file\\u{202e}").waitFor();
    const found = await page.locator("#content").evaluate((content) => ({
      ran: "ran" in window,
      elements: content.querySelectorAll(
        "img, script, iframe, style, form[action], meta, base, svg[onload]",
      ).length,
      handlers: [...content.querySelectorAll("*")].filter((it) =>
        it.getAttributeNames().some((name) => name.startsWith("on")),
      ).length,
      links: [...content.querySelectorAll<HTMLAnchorElement>(".message a")].map((link) => [
        link.href,
        link.rel,
        link.target,
        link.nextElementSibling?.textContent,
      ]),
    }));
    const away = ["noopener noreferrer", "_blank"];
    assert.deepEqual(found, {
      ran: false,
      elements: 0,
      handlers: 0,
      links: [
        ["https://example.org/pixel.png", ...away, " (example.org)"],
        ["https://evil.example/login", ...away, " (evil.example)"],
      ],
    });
    for (const text of MARKUP) await page.getByText(text).first().waitFor();
  });

  it("is Markdown in all its forms otherwise", async () => {
    await using chat = await openChat(await sharedPlace());
    const { page } = chat;
    const table = { content: "| a | b |\n|:-:|--:|\n| 1 | **2** |" };
    const messages = [...FORMS.map(([content]) => ({ content })), table];
    const uuid = await storeThread(chat, messages, "Forms");
    await chat.show("chat", chat.workspaceUuid, uuid);
    const cells = page.locator("td");
    await cells.nth(1).waitFor();
    assert.deepEqual(
      await page
        .locator(".message .group")
        .evaluateAll((all) => all.map((it) => it.innerHTML).slice(0, -1)),
      FORMS.map(([, shown]) => shown),
    );
    assert.deepEqual(
      await cells.evaluateAll((all) => all.map((it) => [it.className, it.innerHTML])),
      [
        ["center", "1"],
        ["right", "<strong>2</strong>"],
      ],
    );
    await untilEqual(() => page.locator("input:checked").count(), 1);
  });

  it("of 5 MB is shown from its beginning, and the page goes on", async () => {
    await using chat = await openChat(await sharedPlace());
    const { page } = chat;
    const messages = [
      { content: "x".repeat(5 * MIB) },
      { content: "a\n\n".repeat(MIB) },
      { content: `\`\`\`\n${"y".repeat(5 * MIB)}\n\`\`\`` },
      { content: "z ".repeat(2 * MIB), role: "user" },
    ];
    const uuid = await storeThread(chat, messages, "Large");
    await chat.show("chat", chat.workspaceUuid, uuid);
    await page.locator(".entry-row").nth(3).waitFor();
    await untilEqual(() => page.getByRole("button", { name: /^Show more/ }).count(), 5);
    const characters = await page
      .locator(".messages")
      .evaluate((it) => it.textContent?.length ?? 0);
    assert.ok(characters < 2 * MIB, String(characters));
    await page.getByLabel("Message", { exact: true }).fill("Still here");
    await page.getByRole("button", { name: "Send" }).and(page.locator(":enabled")).waitFor();
  });
});
