import { type LogFields, type Logger, redactFields } from "../../shared/log.ts";

const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

/** JSON lines on the console, from which Cloudflare collects logs. The fields are those of Node. */
export function createConsoleLogger(level: string): Logger {
  const least = LEVELS.indexOf(level);
  const write = (name: "debug" | "info" | "warn" | "error") => (fields: LogFields, msg: string) => {
    if (LEVELS.indexOf(name) < least) return;
    const clean = redactFields(fields) as LogFields;
    console[name](JSON.stringify({ level: name, time: new Date().toISOString(), ...clean, msg }));
  };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
