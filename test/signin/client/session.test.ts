import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSigninClient, type SigninError } from "../../../signin/client/client.ts";
import { createMemoryStorage, type SigninStorage } from "../../../signin/client/storage.ts";
import { BASE_URL } from "../../support/signin/signin.ts";
import { CLIENT_ADDRESS, createSigninWithUsers, PASSWORD } from "../../support/signin/users.ts";

const EMAIL = "ada@example.com";
const KEY = "session";

type Damage = (path: string, answer: () => Promise<Response>) => Promise<Response>;

/** A server with an account, and clients of it that share one storage, as tabs do. */
async function openTabs() {
  const users = await createSigninWithUsers();
  await users.signUp(EMAIL);
  const storage = createMemoryStorage();
  const requests: string[] = [];
  const open = (damage: Damage = (_, answer) => answer(), kept: SigninStorage = storage) =>
    createSigninClient({
      baseUrl: `${BASE_URL}/`,
      storage: kept,
      storageKey: KEY,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const { pathname } = new URL(request.url);
        requests.push(`${request.method} ${pathname}`);
        const origin = { address: CLIENT_ADDRESS, waitUntil: () => {} };
        return damage(pathname, () => users.signin.fetch(request, origin as never));
      },
    });
  return Object.assign(users, { storage, requests, open });
}

const login = { email: EMAIL, password: PASSWORD };

describe("the session of the sign-in client", () => {
  it("begins with a sign-in, goes with every call, and ends with a logout", async () => {
    await using tabs = await openTabs();
    const client = tabs.open();
    assert.equal(await client.isSignedIn(), false);
    await assert.rejects(client.account.getMe(), { name: "SigninError", status: 401 });
    const answer = await client.passwords.login(login);
    assert.equal(answer.user.displayName, null);
    assert.equal((await client.account.getMe()).email, EMAIL);
    assert.equal(
      (await client.sessions.list()).sessions.filter(({ current }) => current).length,
      1,
    );
    await client.sessions.logout({ scope: "local" });
    assert.equal(await client.isSignedIn(), false);
    assert.equal(await tabs.storage.getItem(KEY), undefined);
  });

  it("ends with the deletion of the account, and stays where that is refused", async () => {
    await using tabs = await openTabs();
    const client = tabs.open();
    await client.passwords.login(login);
    const kept = await tabs.storage.getItem(KEY);
    await assert.rejects(client.account.deleteMe({ password: "not the password" }), {
      code: "invalid_password",
    });
    assert.equal(await tabs.storage.getItem(KEY), kept);
    await client.account.deleteMe({ password: PASSWORD });
    assert.equal(await tabs.storage.getItem(KEY), undefined);
    const before = tabs.requests.length;
    assert.equal(await client.isSignedIn(), false);
    assert.equal(await tabs.open().isSignedIn(), false);
    assert.equal(tabs.requests.length, before, "no request is made with tokens of the account");
  });

  it("says why a request failed, and when it may come again", async () => {
    await using tabs = await openTabs();
    const client = tabs.open();
    const wrong = { ...login, password: "not the password" };
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await assert.rejects(client.passwords.login(wrong), {
        status: 401,
        code: "invalid_credentials",
        retryAfterSec: undefined,
      });
    }
    await assert.rejects(client.passwords.login(wrong), (error: SigninError) => {
      assert.equal(error.code, "rate_limited");
      assert.ok((error.retryAfterSec ?? 0) > 0);
      return true;
    });
  });

  it("is taken up again from its storage", async () => {
    await using tabs = await openTabs();
    await tabs.open().passwords.login(login);
    const reloaded = tabs.open();
    assert.equal((await reloaded.account.getMe()).email, EMAIL);
    assert.ok((await reloaded.accessToken())?.includes("."));
  });

  it("is refreshed by one tab at a time: no refresh looks like theft", async () => {
    await using tabs = await openTabs();
    await tabs.open().passwords.login(login);
    let running = 0;
    const damage: Damage = async (path, answer) => {
      const isRefresh = path === "/auth/refresh";
      running += isRefresh ? 1 : 0;
      assert.ok(running <= 1);
      const response = await answer();
      running -= isRefresh ? 1 : 0;
      return response;
    };
    const others = [1, 2, 3, 4].map(() => tabs.open(damage));
    const calls = others.flatMap((tab) => [tab.account.getMe(), tab.sessions.list()]);
    await Promise.all(calls);
    assert.equal(tabs.requests.filter((request) => request === "POST /auth/refresh").length, 4);
    assert.equal(await tabs.open().isSignedIn(), true);
  });

  it("repeats a refresh once whose answer was lost, also after its headers", async () => {
    await using tabs = await openTabs();
    await tabs.open().passwords.login(login);
    const losses: ((response: Response) => Response)[] = [
      () => {
        throw new TypeError("fetch failed");
      },
      (response) =>
        new Response(
          new ReadableStream({ pull: (stream) => stream.error(new TypeError("terminated")) }),
          response,
        ),
    ];
    for (const lose of losses) {
      let left = 1;
      const tab = tabs.open(async (path, answer) => {
        const response = await answer();
        if (path !== "/auth/refresh" || left === 0) return response;
        left -= 1;
        return lose(response);
      });
      assert.equal((await tab.account.getMe()).email, EMAIL);
      assert.equal(left, 0);
    }
  });

  it("rejects after a second loss, and stays", async () => {
    await using tabs = await openTabs();
    await tabs.open().passwords.login(login);
    const kept = await tabs.storage.getItem(KEY);
    const tab = tabs.open(async (_, answer) => {
      await answer();
      throw new TypeError("fetch failed");
    });
    await assert.rejects(tab.account.getMe(), { name: "SigninError", status: 0 });
    assert.deepEqual(tabs.requests.slice(-2), ["POST /auth/refresh", "POST /auth/refresh"]);
    assert.equal(await tabs.storage.getItem(KEY), kept);
    assert.equal(await tabs.open().isSignedIn(), true);
  });

  it("is renewed where its access token is refused, and ends with the server's 401 alone", async () => {
    await using tabs = await openTabs();
    const tab = tabs.open();
    await tab.passwords.login(login);
    let isRefused = true;
    const picky = tabs.open(async (path, answer) => {
      if (path !== "/auth/me" || !isRefused) return answer();
      isRefused = false;
      return Response.json({ error: "No." }, { status: 401 });
    });
    assert.equal((await picky.account.getMe()).email, EMAIL);
    const other = tabs.open(undefined, createMemoryStorage());
    await other.passwords.login(login);
    await other.sessions.logout({ scope: "others" });
    assert.equal(await other.isSignedIn(), true);
    const later = tabs.open();
    assert.equal(await later.isSignedIn(), false);
    assert.equal(await tabs.storage.getItem(KEY), undefined);
    const down = tabs.open(async () => new Response(null, { status: 503 }));
    await tabs.storage.setItem(KEY, "kept");
    await assert.rejects(down.isSignedIn(), { status: 503 });
    assert.equal(await tabs.storage.getItem(KEY), "kept");
  });

  it("rejects with the server's sentence and details", async () => {
    await using tabs = await openTabs();
    const refused = tabs.open().passwords.login({ email: EMAIL, password: "wrong password" });
    await assert.rejects(refused, (error: Error & { status: number }) => {
      assert.ok(error.name === "SigninError" && error.status === 401 && error.message.length > 10);
      return true;
    });
    await assert.rejects(tabs.open().passwords.login({ email: "", password: "" }), { status: 400 });
  });
});
