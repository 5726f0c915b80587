import assert from "node:assert/strict";
import { it } from "node:test";
import type { z } from "@hono/zod-openapi";
import type * as client from "../../../engine/client/wire.generated.ts";
import type * as messages from "../../../engine/messages/wire.ts";
import type * as retrieval from "../../../engine/retrieval/wire.ts";
import type * as settings from "../../../engine/settings/wire.ts";
import type * as threads from "../../../engine/threads/wire.ts";
import type * as turns from "../../../engine/turns/wire.ts";

// The compiler is the test: `npm run check` fails where a generated type and its schema differ.

type Same<Left, Right> = [Left, Right] extends [Right, Left] ? true : false;
/** What a client sees where a string holds JSON. */
type Decoded<Type, Fields> = Omit<Type, keyof Fields> & Fields;
type ThreadFields = { toolsConfig: client.ToolsConfig | client.Malformed | null };

const same: {
  turn: Same<client.Turn, z.output<typeof turns.Turn>>;
  message: Same<client.Message, z.output<typeof messages.Message>>;
  newMessage: Same<client.CreateMessage, z.input<typeof messages.CreateMessage>>;
  setting: Same<client.Setting, z.input<typeof settings.Setting>>;
  search: Same<client.RagSearch, z.input<typeof retrieval.RagSearch>>;
  thread: Same<client.Thread, Decoded<z.output<typeof threads.Thread>, ThreadFields>>;
  create: Same<
    client.WorkspacesNamespace["create"],
    (input: client.CreateWorkspace, options?: client.CallOptions) => Promise<client.Workspace>
  >;
  list: Same<Awaited<ReturnType<client.Operations["listThreads"]>>, client.Thread[]>;
} = {
  turn: true,
  message: true,
  newMessage: true,
  setting: true,
  search: true,
  thread: true,
  create: true,
  list: true,
};

it("the types of the client are those of the schemas", () => {
  assert.ok(Object.values(same).every(Boolean));
});
