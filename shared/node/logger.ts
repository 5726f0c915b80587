import pino from "pino";
import { isJsonObject } from "../json.ts";
import { type LogFields, type Logger, redactFields, redactText } from "../log.ts";

/** A destination of log lines. Each line ends with a line feed. */
export interface LogSink {
  write(line: string): void;
}

/**
 * JSON lines on standard error, readable text if that is a terminal, and the same lines in the further sinks. Every
 * line is redacted first.
 */
export function createLogger(level: string, sinks: readonly LogSink[] = []): Logger {
  const targets = [standardError(), ...sinks];
  const destination = {
    write: (line: string) => {
      for (const sink of targets) sink.write(line);
    },
  };
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
  const at =
    (name: "debug" | "info" | "warn" | "error") => (fields: LogFields, message: string) => {
      if (log.isLevelEnabled(name)) log[name](redactFields(fields) as object, redactText(message));
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

function standardError(): LogSink {
  // Synchronous, so that no line is lost if the process ends right after it. A closed terminal is no error.
  const out = pino.destination({ fd: 2, sync: true });
  out.on("error", () => {});
  if (!process.stderr.isTTY) return out;
  return { write: (line) => out.write(`${toReadableLine(JSON.parse(line))}\n`) };
}

/** An entry of the log: `12:34:56 info  The engine is listening. {"port":7717}`. Of an error the message; the file has its stack. */
export function toReadableLine(entry: Record<string, unknown>): string {
  const { time, level, msg, error, ...others } = entry;
  const message = isJsonObject(error) && "stack" in error ? error.message : error;
  const fields = error === undefined ? others : { ...others, error: message };
  const clock = String(time ?? "").slice(11, 19);
  const rest = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : "";
  return `${clock} ${String(level ?? "").padEnd(5)} ${String(msg)}${rest}`;
}
