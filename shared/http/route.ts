import {
  createRoute,
  type OpenAPIHono,
  type RouteConfig,
  type RouteHandler,
} from "@hono/zod-openapi";

type Method = "get" | "post" | "put" | "patch" | "delete";
type Requests = NonNullable<RouteConfig["request"]>;

/** The request and the responses of a route, its texts in the OpenAPI document, and its handler. */
export interface Declaration<
  Path extends string,
  Request extends Requests,
  Responses extends RouteConfig["responses"],
> extends Pick<RouteConfig, "security" | "middleware"> {
  /** A verb and a noun, unique in the document: `createThread`. */
  operationId: string;
  /** One line. */
  summary: string;
  /** Details that the summary omits. */
  description: string;
  request?: Request;
  responses: Responses;
  handler: RouteHandler<{ method: Method; path: Path; request: Request; responses: Responses }>;
}

/** A declared route: registers itself under a tag of the document. */
export type Route = (router: OpenAPIHono, tag: string) => void;

function declare(method: Method) {
  return <
    Path extends string,
    Responses extends RouteConfig["responses"],
    Request extends Requests = Record<never, never>,
  >(
    path: Path,
    { handler, ...declaration }: Declaration<Path, Request, Responses>,
  ): Route =>
    (router, tag) => {
      const route = createRoute({ method, path, tags: [tag], ...declaration });
      // `Declaration` relates the two; TypeScript does not compare types that it has not resolved.
      router.openapi(route, handler as unknown as RouteHandler<typeof route>);
    };
}

export const get = declare("get");
export const post = declare("post");
export const put = declare("put");
export const patch = declare("patch");
export const remove = declare("delete");
