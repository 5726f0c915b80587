import type { Finding } from "../client/client.ts";

export type { Finding };

const MARKS = { ok: "✓", warning: "!", failure: "✗" } as const;

export function fine(check: string, detail: string): Finding {
  return { check, state: "ok", detail, cure: null };
}

export function warning(check: string, detail: string, cure: string): Finding {
  return { check, state: "warning", detail, cure };
}

export function failed(check: string, detail: string, cure: string): Finding {
  return { check, state: "failure", detail, cure };
}

/** `✗ database: It is damaged. Restore a backup.` */
export function renderFinding({ check, state, detail, cure }: Finding): string {
  return `${MARKS[state]} ${check}: ${detail}${cure === null ? "" : ` ${cure}`}`;
}
