import type { RouteConfig, z } from "@hono/zod-openapi";
import type { Context, TypedResponse } from "hono";
import * as shared from "../../shared/http/route.ts";
import { API_PREFIX } from "./pipeline.ts";

type Requests = NonNullable<RouteConfig["request"]>;
type Responses = RouteConfig["responses"];
type Json<Schema extends z.ZodType> = { content: { "application/json": { schema: Schema } } };

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : unknown;
/** The parameters of a request by their names, and its `body` if it is read. */
type Input<Asked extends Requests> = Output<Asked["params"]> &
  Output<Asked["query"]> &
  Output<Asked["headers"]> &
  (Asked["body"] extends Json<infer Schema> ? { body: z.output<Schema> } : unknown);

/** The value of the JSON in a response. */
type Value<Given extends Responses> =
  Given[keyof Given & (200 | 201 | 202)] extends Json<infer Schema> ? z.input<Schema> : never;
/** A handler makes other responses itself, and JSON that is text already. */
type Result<Given extends Responses> = Value<Given> | Response | TypedResponse;

/** What must hold before a handler runs; `check` throws otherwise. */
export interface Requirement {
  check(): Promise<void>;
  /** The responses of a request for which it does not hold. */
  responses: Responses;
}

interface Declaration<Asked extends Requests, Given extends Responses>
  extends Omit<shared.Declaration<string, Asked, Given>, "handler"> {
  requires?: Requirement;
  /** The path of what was made, for the header `Location`. */
  location?(value: Value<Given>): string;
  handler(
    input: Input<Asked>,
    c: Context,
  ): Given extends { 204: unknown } ? Promise<void> : Result<Given> | Promise<Result<Given>>;
}

const SUCCESSES = [200, 201, 202, 204];

/** As in `shared/http/route.ts`, but a handler gets the values of the request, and returns that of the response. */
function declare(add: typeof shared.get) {
  return <Given extends Responses, Asked extends Requests = Record<never, never>>(
    path: string,
    { requires, location, handler, ...declaration }: Declaration<Asked, Given>,
  ) => {
    const status = SUCCESSES.find((success) => success in declaration.responses);
    const respond = async (c: Context) => {
      await requires?.check();
      const value = await handler(inputOf<Asked>(c), c);
      if (value instanceof Response) return value;
      if (location) c.header("Location", API_PREFIX + location(value as Value<Given>));
      return status === 204 ? c.body(null, status) : c.json(value, status as 200);
    };
    // Its types are those of `Declaration`.
    const route = { ...declaration, handler: respond as never };
    if (!requires) return add(path, route);
    return add(path, { ...route, responses: { ...route.responses, ...requires.responses } });
  };
}

function inputOf<Asked extends Requests>({ req }: Context): Input<Asked> {
  const valid = (part: string) => req.valid(part as never) as object | undefined;
  const body = valid("json");
  const input = { ...valid("header"), ...valid("query"), ...valid("param"), ...(body && { body }) };
  // The schemas of the request made these values.
  return input as Input<Asked>;
}

export const get = declare(shared.get);
export const post = declare(shared.post);
export const put = declare(shared.put);
export const remove = declare(shared.remove);
