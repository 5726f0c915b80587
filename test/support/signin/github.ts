import { sha256, toBase64Url } from "../../../shared/bytes.ts";
import { randomToken } from "../../../shared/random.ts";
import { type FakeServer, startFakeServer } from "../fake-server.ts";

/** An address as the fake's `/user/emails` tells it. */
export interface GithubEmail {
  email: unknown;
  verified?: unknown;
  primary?: unknown;
  visibility?: unknown;
}

/** A plain OAuth 2.0 provider with GitHub's habits; the person and the answers are the test's to choose. */
export interface GithubFake extends FakeServer {
  clientId: string;
  clientSecret: string;
  /** A second secret of the same client. */
  hubSecret: string;
  profile: Record<string, unknown>;
  emails: GithubEmail[];
  /** Scopes that the person granted; without `user:email`, the addresses are 404. */
  scopes: string[];
  /** Answers in place of an endpoint, by path. */
  overrides: Record<string, (() => Response | Promise<Response>) | undefined>;
  /** Honest defaults again. */
  reset(): void;
}

interface Grant {
  redirectUri: string;
  challenge: string | null;
}

const PAGE_SIZE = 30;

export async function startGithubFake(): Promise<GithubFake> {
  const grants = new Map<string, Grant>();
  const tokens = new Set<string>();
  const state = {
    clientId: "github-client",
    clientSecret: `github-${randomToken()}`,
    hubSecret: `hub-${randomToken()}`,
    ...honestPerson(),
    overrides: {} as GithubFake["overrides"],
  };
  const server = await startFakeServer((url) => async (request, seen) => {
    const override = state.overrides[seen.path];
    if (override) return override();
    switch (seen.path) {
      case "/login/oauth/authorize":
        return authorize(seen.query);
      case "/login/oauth/access_token":
        return accessToken(request, new URLSearchParams(seen.body));
      case "/user":
        return api(request, () => Response.json(state.profile));
      case "/user/emails":
        return api(request, () => emails(url, seen.query));
      default:
        return Response.json({ message: "Not Found" }, { status: 404 });
    }
  });

  function authorize(query: URLSearchParams): Response {
    const code = randomToken(15);
    const redirectUri = query.get("redirect_uri") ?? "";
    grants.set(code, { redirectUri, challenge: query.get("code_challenge") });
    const back = new URL(redirectUri);
    back.searchParams.set("code", code);
    back.searchParams.set("state", query.get("state") ?? "");
    return Response.redirect(back, 302);
  }

  async function accessToken(request: Request, form: URLSearchParams): Promise<Response> {
    const code = form.get("code") ?? "";
    const grant = grants.get(code);
    const body = await (async (): Promise<Record<string, string>> => {
      if (
        form.get("client_id") !== state.clientId ||
        ![state.clientSecret, state.hubSecret].includes(form.get("client_secret") ?? "")
      ) {
        return oauthError("incorrect_client_credentials");
      }
      if (!grant) return oauthError("bad_verification_code");
      if (grant.redirectUri !== form.get("redirect_uri")) {
        return oauthError("redirect_uri_mismatch");
      }
      const challenge = toBase64Url(await sha256(form.get("code_verifier") ?? ""));
      if (grant.challenge !== null && grant.challenge !== challenge) {
        return oauthError("bad_verification_code");
      }
      grants.delete(code);
      const token = `gho_${randomToken(27).replace(/[-_]/g, "0")}`;
      tokens.add(token);
      return { access_token: token, scope: state.scopes.join(","), token_type: "bearer" };
    })();
    // Errors, too, come with 200; form encoding unless JSON is asked for.
    if (request.headers.get("accept")?.includes("application/json")) return Response.json(body);
    const headers = { "Content-Type": "application/x-www-form-urlencoded; charset=utf-8" };
    return new Response(new URLSearchParams(body).toString(), { headers });
  }

  function api(request: Request, answer: () => Response): Response {
    if (!request.headers.get("user-agent")) {
      return new Response("Request forbidden by administrative rules.", { status: 403 });
    }
    const token = /^(?:Bearer|token) (.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    if (!token || !tokens.has(token)) {
      return Response.json({ message: "Bad credentials" }, { status: 401 });
    }
    const response = answer();
    response.headers.set("X-OAuth-Scopes", state.scopes.join(", "));
    return response;
  }

  function emails(url: string, query: URLSearchParams): Response {
    if (!state.scopes.some((scope) => scope === "user:email" || scope === "user")) {
      return Response.json({ message: "Not Found" }, { status: 404 });
    }
    const size = Math.min(Number(query.get("per_page") ?? PAGE_SIZE), 100);
    const page = Number(query.get("page") ?? 1);
    const slice = state.emails.slice((page - 1) * size, page * size);
    const more = state.emails.length > page * size;
    const next = `<${url}/user/emails?per_page=${size}&page=${page + 1}>; rel="next"`;
    return Response.json(slice, { headers: more ? { Link: next } : {} });
  }

  return Object.assign(state, {
    url: server.url,
    takeRequests: server.takeRequests,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    reset() {
      Object.assign(state, honestPerson(), { overrides: {} });
    },
  });
}

function honestPerson() {
  return {
    profile: {
      id: 583231,
      login: "octo",
      name: "Octo Cat",
      // Public and unverified: never to be trusted.
      email: "public-profile@example.test",
      avatar_url: "https://avatars.example.test/u/583231",
    } as Record<string, unknown>,
    emails: [
      { email: "octo@example.test", verified: true, primary: true, visibility: "public" },
    ] as GithubEmail[],
    scopes: ["read:user", "user:email"],
  };
}

function oauthError(error: string): Record<string, string> {
  return { error, error_description: `Refused: ${error}.`, error_uri: "https://docs.example.test" };
}
