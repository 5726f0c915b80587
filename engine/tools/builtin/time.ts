import { z } from "@hono/zod-openapi";
import { toIsoTime } from "../../../shared/clock.ts";
import { defineTool } from "./define.ts";

const ZONE = "The zone as an IANA name, such as `Europe/Berlin`; UTC where it is left out.";

/** The group `time`. */
export const TIME_TOOLS = [
  defineTool({
    group: "time",
    name: "get_current_time",
    doc: "Tells the current date and time, in UTC and in a time zone.",
    parameters: z.object({
      time_zone: z
        .string()
        .refine(isTimeZone, "is not a known time zone")
        .optional()
        .describe(ZONE),
    }),
    async run({ deps }, { time_zone: timeZone = "UTC" }) {
      const nowMs = deps.clock.now();
      const local = new Intl.DateTimeFormat("en-GB", {
        timeZone,
        dateStyle: "full",
        timeStyle: "long",
      });
      return { utc: toIsoTime(nowMs), time_zone: timeZone, local: local.format(nowMs) };
    },
  }),
];

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
