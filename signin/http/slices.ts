import type { OpenAPIHono } from "@hono/zod-openapi";
import { matchesPattern, toPattern } from "../../shared/http/matching-routes.ts";
import type { Scope } from "../deps.ts";

/**
 * A part of the API. Its schemas and routes are constructed by the first request to one of its paths: an isolate of Workers
 * begins with none, and pays for those that it serves (B-BUILD-15).
 */
export interface Slice {
  /** Every path of its routes, as the OpenAPI document writes them. */
  paths: readonly string[];
  /** GET requests that need no route, by their path: an isolate answers them before it has constructed anything. */
  answers?: Readonly<Record<string, Answer>>;
  open(): Promise<OpenAPIHono>;
}

/** Answers a GET request, as the route of its path would. */
type Answer = (scope: Scope) => Response | Promise<Response>;

/** The routers of a program, over its slices. */
interface Routers {
  /** The direct answer to a GET request for this path. */
  findAnswer(path: string): Answer | undefined;
  /** A router with every route that can match this path; it has no others until all are open. */
  find(path: string): Promise<OpenAPIHono>;
  /** One router with all routes. It serves every path from then on. */
  openAll(): Promise<OpenAPIHono>;
}

/** `complete` adds what every router has. Only values are kept: on workerd no request may wait for another one's promise. */
export function createRouters(
  slices: readonly Slice[],
  complete: (router: OpenAPIHono) => void,
): Routers {
  const answers = new Map(slices.flatMap(({ answers = {} }) => Object.entries(answers)));
  const mounted = slices.map(({ paths, open }) => ({ patterns: paths.map(toPattern), open }));
  const opened = new Map<string, OpenAPIHono>();
  let all: OpenAPIHono | undefined;

  async function join(chosen: readonly Pick<Slice, "open">[]): Promise<OpenAPIHono> {
    const { OpenAPIHono } = await import("@hono/zod-openapi");
    const router = new OpenAPIHono();
    for (const { open } of chosen) router.route("/", await open());
    complete(router);
    return router;
  }

  return {
    findAnswer: (path) => answers.get(path),
    async find(path) {
      if (all) return all;
      const segments = path.split("/");
      const chosen = mounted.filter(({ patterns }) =>
        patterns.some((pattern) => matchesPattern(pattern, segments)),
      );
      // Two slices may have patterns that one path matches, such as /auth/{provider}/login and /auth/sessions/{id}.
      const key = chosen.map((slice) => mounted.indexOf(slice)).join();
      const known = opened.get(key);
      if (known) return known;
      const joined = await join(chosen);
      // Requests that arrive together construct one each, and all use the first: its routes may keep values.
      const router = opened.get(key) ?? joined;
      opened.set(key, router);
      return router;
    },
    async openAll() {
      all ??= await join(slices);
      return all;
    },
  };
}
