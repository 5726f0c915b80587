import { errors, ok } from "../../shared/http/responses.ts";
import { post } from "../../shared/http/route.ts";
import type { ChatDeps } from "../chat/ports.ts";
import { createRouter } from "../http/router.ts";
import { credentialStoreResponse, UuidParam } from "../http/wire.ts";
import { Thread, toThread } from "../threads/wire.ts";
import { titleThread } from "./title-thread.ts";

/** Titles by a model; additive. */
export function titleRoutes(deps: ChatDeps) {
  return createRouter({ details: true, tag: "threads" }, [
    post("/threads/{uuid}/title", {
      operationId: "createThreadTitle",
      summary: "Have the model of a thread give it a title",
      description:
        "One small request to the model: one line of at most six words. A title that a person gave is 409, also one that is given meanwhile.",
      request: { params: UuidParam },
      responses: {
        ...ok(Thread),
        ...errors(400, 404, 409, 502),
        ...credentialStoreResponse,
      },
      handler: async (c) => {
        const thread = await titleThread(deps, c.req.valid("param").uuid, c.req.raw.signal);
        return c.json(toThread(thread), 200);
      },
    }),
  ]);
}
