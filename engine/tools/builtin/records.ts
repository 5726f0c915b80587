import { z } from "@hono/zod-openapi";
import { toIsoTime } from "../../../shared/clock.ts";
import {
  RECORD_LINE_CHARACTERS_MAX,
  RECORD_LIST_CHARACTERS,
  RECORD_LIST_DEFAULT,
  RECORD_LIST_MAX,
  RECORD_TEXT_CHARACTERS_MAX,
} from "../limits.ts";
import { type BuiltinTool, type ToolContext, ToolFailure, ToolResult } from "./builtin.ts";
import { defineTool } from "./define.ts";
import {
  deleteRecord,
  insertRecord,
  listRecords,
  patchRecord,
  type RecordKind,
  type WorkspaceRecord,
} from "./records-store.ts";
import { countFitting, PAGE_CUT } from "./result-size.ts";

type Fields = Record<string, z.ZodType<string | null | undefined>>;

/** One group of record tools: create, list, update and delete. */
interface RecordGroup {
  /** The group, and a record in the names of its tools, such as `create_todo`. */
  one: string;
  /** The table, and the records in `list_todos`. */
  many: RecordKind["table"];
  /** What a record is, for the docs. */
  about: string;
  /** Whether a record refers to the thread that created it. */
  hasThread: boolean;
  /** The columns, in their order. */
  create: Fields;
  /** The values of omitted fields of a new record. */
  defaults?: Readonly<Record<string, string>>;
}

const line = z.string().trim().min(1).max(RECORD_LINE_CHARACTERS_MAX);
const longText = z.string().min(1).max(RECORD_TEXT_CHARACTERS_MAX);
const optionalLine = z.string().max(RECORD_LINE_CHARACTERS_MAX).nullable().optional();

const GROUPS: readonly RecordGroup[] = [
  {
    one: "todo",
    many: "todos",
    about: "a task of this workspace",
    hasThread: true,
    defaults: { status: "open" },
    create: { title: line, status: z.enum(["open", "in_progress", "done"]).optional() },
  },
  {
    one: "memory",
    many: "memories",
    about: "something to remember in later conversations of this workspace",
    hasThread: true,
    create: { content: longText },
  },
  {
    one: "note",
    many: "notes",
    about: "a note of this workspace",
    hasThread: false,
    create: { title: line, content: longText },
  },
  {
    one: "contact",
    many: "contacts",
    about: "a person or organisation",
    hasThread: false,
    create: {
      name: line,
      email: optionalLine,
      phone: optionalLine,
      notes: z.string().max(RECORD_TEXT_CHARACTERS_MAX).nullable().optional(),
    },
  },
];

const Id = z.object({ id: z.string().min(1).describe("The id, as the list tells it.") });

const Page = z.object({
  query: z.string().max(RECORD_LINE_CHARACTERS_MAX).default("").describe("A text to look for."),
  limit: z.int().min(1).max(RECORD_LIST_MAX).default(RECORD_LIST_DEFAULT),
  offset: z.int().min(0).default(0),
});

/** The groups todo, memory, note and contact: records of a workspace, kept between conversations. */
export const RECORD_TOOLS: readonly BuiltinTool[] = GROUPS.flatMap((group) => {
  const { many: table, create, hasThread } = group;
  const kind = { table, columns: Object.keys(create), hasThread };
  return [createTool, listTool, updateTool, deleteTool].map((toTool) => toTool(group, kind));
});

function createTool({ one, about, create, defaults }: RecordGroup, kind: RecordKind): BuiltinTool {
  return defineTool({
    group: one,
    name: `create_${one}`,
    doc: `Stores ${about}.`,
    parameters: z.object(create),
    async run({ deps, workspace, thread }, values) {
      const record = await insertRecord(deps.db, kind, {
        workspaceId: workspace.id,
        uuid: crypto.randomUUID(),
        threadId: thread.id,
        values: { ...defaults, ...values },
        now: toIsoTime(deps.clock.now()),
      });
      if (!record) throw new ToolFailure("The workspace was deleted.");
      return record;
    },
  });
}

function listTool({ one, many }: RecordGroup, kind: RecordKind): BuiltinTool {
  return defineTool({
    group: one,
    name: `list_${many}`,
    doc: `Lists the ${many} of this workspace, the newest first; \`next_offset\` tells whether there are more.`,
    parameters: Page,
    async run({ deps, workspace, resultBytesMax }, { query, limit, offset }, signal) {
      const page = { workspaceId: workspace.id, query, limit, offset };
      const { records, total } = await listRecords(deps.db, kind, page, signal);
      const natural = withinCharacters(records);
      const shown = natural.slice(0, Math.max(1, countFitting(natural, resultBytesMax)));
      const next = offset + shown.length;
      const value = { [many]: shown, total, next_offset: next < total ? next : null };
      if (shown.length === natural.length) return value;
      const leftOut = `${natural.length - shown.length} of ${total} ${many}`;
      return new ToolResult({ ...value, note: PAGE_CUT }, { leftOut });
    },
  });
}

function updateTool({ one, create }: RecordGroup, kind: RecordKind): BuiltinTool {
  return defineTool({
    group: one,
    name: `update_${one}`,
    doc: `Changes a ${one}; what is left out stays as it is.`,
    parameters: z.object({ ...z.object(create).partial().shape, id: Id.shape.id }),
    async run(context, { id, ...values }) {
      const record = await patchRecord(context.deps.db, kind, {
        ...owner(context, id),
        values,
        now: toIsoTime(context.deps.clock.now()),
      });
      if (!record) throw missing(one);
      return record;
    },
  });
}

function deleteTool({ one }: RecordGroup, kind: RecordKind): BuiltinTool {
  return defineTool({
    group: one,
    name: `delete_${one}`,
    doc: `Deletes a ${one}.`,
    parameters: Id,
    async run(context, { id }) {
      if (!(await deleteRecord(context.deps.db, kind, owner(context, id)))) throw missing(one);
      return { deleted: id };
    },
  });
}

function owner({ workspace }: ToolContext, uuid: string) {
  return { workspaceId: workspace.id, uuid };
}

function missing(one: string): ToolFailure {
  return new ToolFailure(`id: this workspace has no such ${one}.`);
}

/** As many records as fit, at least one. */
function withinCharacters(records: readonly WorkspaceRecord[]): WorkspaceRecord[] {
  let characters = 0;
  return records.filter((record, at) => {
    characters += JSON.stringify(record).length;
    return at === 0 || characters <= RECORD_LIST_CHARACTERS;
  });
}
