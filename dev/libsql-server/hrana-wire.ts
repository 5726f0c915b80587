import { z } from "zod";
import { systemErrorCode } from "../../shared/system-error.ts";

/**
 * The messages of Hrana 2 over HTTP as `@libsql/client` sends them (HTTP_V2_SPEC in the documents of libSQL). Only the
 * development server reads them; a real libSQL server has its own.
 */
const HranaValue = z.discriminatedUnion("type", [
  z.object({ type: z.literal("null") }),
  z.object({ type: z.literal("integer"), value: z.string().regex(/^-?\d{1,19}$/) }),
  z.object({ type: z.literal("float"), value: z.number() }),
  z.object({ type: z.literal("text"), value: z.string() }),
  z.object({ type: z.literal("blob"), base64: z.string() }),
]);
export type HranaValue = z.infer<typeof HranaValue>;

const sqlText = { sql: z.string().nullish(), sql_id: z.number().int().nullish() };

const HranaStatement = z.object({
  ...sqlText,
  args: z.array(HranaValue).nullish(),
  named_args: z.array(z.object({ name: z.string(), value: HranaValue })).nullish(),
  want_rows: z.boolean().nullish(),
});
export type HranaStatement = z.infer<typeof HranaStatement>;

/** When a step of a batch runs; steps name earlier ones by position. */
export type HranaCondition =
  | { type: "ok" | "error"; step: number }
  | { type: "not"; cond: HranaCondition }
  | { type: "and" | "or"; conds: HranaCondition[] }
  | { type: "is_autocommit" };
const HranaCondition: z.ZodType<HranaCondition> = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.object({ type: z.enum(["ok", "error"]), step: z.number().int() }),
    z.object({ type: z.literal("not"), cond: HranaCondition }),
    z.object({ type: z.enum(["and", "or"]), conds: z.array(HranaCondition) }),
    z.object({ type: z.literal("is_autocommit") }),
  ]),
);

const HranaBatch = z.object({
  steps: z.array(z.object({ condition: HranaCondition.nullish(), stmt: HranaStatement })),
});
export type HranaBatch = z.infer<typeof HranaBatch>;

const HranaRequest = z.discriminatedUnion("type", [
  z.object({ type: z.literal("close") }),
  z.object({ type: z.literal("execute"), stmt: HranaStatement }),
  z.object({ type: z.literal("batch"), batch: HranaBatch }),
  z.object({ type: z.literal("sequence"), ...sqlText }),
  z.object({ type: z.literal("store_sql"), sql_id: z.number().int(), sql: z.string() }),
  z.object({ type: z.literal("close_sql"), sql_id: z.number().int() }),
  z.object({ type: z.literal("get_autocommit") }),
]);
export type HranaRequest = z.infer<typeof HranaRequest>;

/** One POST to `/v2/pipeline`. */
export const HranaPipeline = z.object({
  baton: z.string().nullish(),
  requests: z.array(HranaRequest),
});
export type HranaPipeline = z.infer<typeof HranaPipeline>;

/** An error for a client. */
export interface HranaFault {
  message: string;
  code: string;
}

/** Rows and counts of one statement. */
export interface HranaResult {
  cols: { name: string; decltype: string | null }[];
  rows: HranaValue[][];
  affected_row_count: number;
  last_insert_rowid: string | null;
}

/** The response to one request of a pipeline. */
export type HranaAnswer =
  | { type: "ok"; response: { type: HranaRequest["type"]; [field: string]: unknown } }
  | { type: "error"; error: HranaFault };

/** An error with a code for the client, of one request or of the whole pipeline. */
export class HranaError extends Error {
  override name = "HranaError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Any failure, in the form of a libSQL server. */
export function toHranaFault(error: unknown): HranaFault {
  if (error instanceof HranaError) return { message: error.message, code: error.code };
  if (!(error instanceof Error)) return { message: String(error), code: "SQLITE_UNKNOWN" };
  const code = systemErrorCode(error);
  // SQLITE_CONSTRAINT_UNIQUE → SQLITE_CONSTRAINT, and the prefix of a libSQL server's messages.
  const base = /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? "SQLITE_UNKNOWN";
  return { message: `SQLite error: ${error.message}`, code: base };
}
