import { LOG_LEVELS } from "../../shared/env.ts";
import { type LogFields, type Logger, redactFields } from "../../shared/log.ts";

/** JSON lines on the console, from which Cloudflare collects logs. The fields are those of Node. */
export function createConsoleLogger(level: (typeof LOG_LEVELS)[number]): Logger {
  const least = LOG_LEVELS.indexOf(level);
  const write = (name: "debug" | "info" | "warn" | "error") => (fields: LogFields, msg: string) => {
    if (LOG_LEVELS.indexOf(name) < least) return;
    const clean = redactFields(fields) as LogFields;
    console[name](JSON.stringify({ level: name, time: new Date().toISOString(), ...clean, msg }));
  };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
