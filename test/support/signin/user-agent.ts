import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";

/** What came back, read to its end. Redirects are never followed by themselves. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; throws where it is none. */
  json<Shape = Record<string, unknown>>(): Shape;
  location: URL | undefined;
}

/** How a request departs from a plain GET. */
export interface Ask {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  body?: string;
  bearer?: string | undefined;
}

/**
 * One client of the sign-in server with its own cookies and its own address, over a plain socket: every header, also
 * Host, is the test's to choose.
 */
export class UserAgent {
  readonly #base: URL;
  readonly #secrets: Set<string>;
  readonly cookies = new Map<string, { value: string; path: string }>();
  readonly address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
  /** The host that requests name, where it is not that of the address. */
  host: string | undefined;

  constructor(baseUrl: string, secrets: Set<string>) {
    this.#base = new URL(baseUrl);
    this.#secrets = secrets;
  }

  async get(target: string | URL, ask: Ask = {}): Promise<Answer> {
    return this.ask(target, { method: "GET", ...ask });
  }

  async post(target: string, json: unknown, ask: Ask = {}): Promise<Answer> {
    return this.ask(target, { method: "POST", json, ...ask });
  }

  /** Starts the request and never reads the answer: the connection breaks once everything is sent. */
  async askAndHangUp(target: string, ask: Ask): Promise<void> {
    const request = this.#open(target, ask);
    request.on("error", () => {});
    await new Promise<void>((resolve) => request.end(bodyOf(ask), resolve));
    // The server has it all once its end of the connection says so; that it answers is no longer our business.
    request.once("response", (response) => response.destroy());
  }

  async ask(target: string | URL, ask: Ask): Promise<Answer> {
    const request = this.#open(target, ask);
    const received = new Promise<Answer>((resolve, reject) => {
      request.on("error", reject);
      request.on("response", async (response) => {
        try {
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk as Buffer);
          const text = Buffer.concat(chunks).toString("utf8");
          resolve(toAnswer(response.statusCode ?? 0, response.headers, text, this.#base));
        } catch (error) {
          reject(error);
        }
      });
    });
    request.end(bodyOf(ask));
    const answer = await received;
    this.#keepCookies(answer.headers.getSetCookie());
    this.#learn(answer);
    return answer;
  }

  /** The cookies that a browser would send for a path. */
  cookieHeader(path: string): string {
    return [...this.cookies]
      .filter(
        ([, cookie]) => path === cookie.path || path.startsWith(cookie.path.replace(/\/?$/, "/")),
      )
      .map(([name, { value }]) => `${name}=${value}`)
      .join("; ");
  }

  #open(target: string | URL, { method = "POST", headers = {}, json, bearer }: Ask) {
    const url = typeof target === "string" ? new URL(target, this.#base) : target;
    const path =
      typeof target === "string" && target.startsWith("/") ? target : url.pathname + url.search;
    const cookie = this.cookieHeader(url.pathname);
    return httpRequest({
      host: this.#base.hostname,
      port: this.#base.port,
      method,
      path,
      agent: false,
      headers: {
        Host: this.host ?? url.host,
        // Each runtime believes its own one of the two.
        "X-Forwarded-For": this.address,
        "CF-Connecting-IP": this.address,
        ...(cookie ? { Cookie: cookie } : {}),
        ...(json === undefined ? {} : { "Content-Type": "application/json" }),
        ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
        ...headers,
      },
    });
  }

  #keepCookies(lines: string[]): void {
    for (const line of lines) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const path = /;\s*path=([^;]*)/i.exec(line)?.[1] ?? "/";
      if (value.length >= 16) this.#secrets.add(value);
      if (/max-age=0\b/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, { value, path });
    }
  }

  /** Whatever is secret in an answer must be seen nowhere else. */
  #learn({ text, location }: Answer): void {
    // Sign-in §4, native PKCE rule 5; and of a browser's way no more than that.
    assert.doesNotMatch(
      location?.href ?? "",
      /eyJhbG|(?<![\w-])rt1\.|access_token|refresh_token|client_secret/,
    );
    for (const [, secret] of text.matchAll(/"(?:access_token|refresh_token)":"([^"]+)"/g)) {
      if (secret) this.#secrets.add(secret);
    }
    for (const name of ["state", "code"]) {
      const value = location?.searchParams.get(name);
      if (value && value.length >= 16) this.#secrets.add(value);
    }
  }
}

function bodyOf({ json, body }: Ask): string | undefined {
  return json === undefined ? body : JSON.stringify(json);
}

function toAnswer(status: number, headers: IncomingHttpHeaders, text: string, base: URL): Answer {
  const list = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    (Array.isArray(value) ? value : [value ?? ""]).map((each) => [name, each]),
  );
  const location = headers.location ? new URL(headers.location, base) : undefined;
  return {
    status,
    headers: new Headers(list),
    text,
    location,
    json: () => JSON.parse(text),
  };
}

/** Asserts a refusal: its status, its code, the shape of its body, and that no session began. */
export function assertRefused(answer: Answer, status: number, code?: string | string[]): void {
  assert.equal(answer.status, status, `${answer.status} ${answer.text.slice(0, 300)}`);
  assert.equal(
    answer.headers.getSetCookie().some((line) => /signin_rt=[^;]/.test(line)),
    false,
    "a refusal sets no refresh cookie",
  );
  if (code === undefined) return;
  const body = answer.json<{ error: string; code: string; request_id: string }>();
  assert.equal([code].flat().includes(body.code), true, `${body.code} is not ${code}`);
  assert.equal(typeof body.error, "string");
  assert.equal(typeof body.request_id, "string");
}
