import { signal } from "@preact/signals";
import { toBase64 } from "../../../../shared/bytes.ts";
import { isJsonObject, parseJson } from "../../../../shared/json.ts";
import type { StartTurn } from "../../../client/client.ts";
import {
  ATTACHMENT_BYTES_MAX,
  ATTACHMENTS_BYTES_MAX,
  ATTACHMENTS_MAX,
  DRAFT_CHARACTERS_MAX,
  DRAFTS_MAX,
} from "./limits.ts";
import { type Mention, mentionAt, mentionsIn, withMention } from "./mention.ts";

/** How much a model thinks before it answers, and what a person calls it. */
export const EFFORTS = [
  ["", "Default thinking"],
  ["off", "No thinking"],
  ["low", "Low thinking"],
  ["medium", "Medium thinking"],
  ["high", "High thinking"],
] as const;

/** A message that is being written. */
export class Writing {
  readonly text;
  readonly files = signal<readonly File[]>([]);
  /** The model that was chosen for it. */
  readonly modelId = signal<string | undefined>(undefined);
  readonly effort = signal<(typeof EFFORTS)[number][0]>("");
  /** The name behind the `@` that is being typed. */
  readonly naming = signal<string | undefined>(undefined);
  readonly #draftKey: string;
  #mentions: readonly Mention[] = [];

  constructor(draftKey: string) {
    this.#draftKey = draftKey;
    this.text = signal(readDraft(draftKey));
  }

  /** Takes the whole text, with the caret in it. */
  write(text: string, caret = text.length): void {
    this.text.value = text;
    this.naming.value = mentionAt(text, caret);
    writeDraft(this.#draftKey, text);
  }

  /** Names a file or folder in the place of what was typed. @returns where the caret is then. */
  mention(mention: Mention, caret: number): number {
    const [text, at] = withMention(this.text.value, caret, mention.path);
    this.#mentions = [...this.#mentions, mention];
    this.write(text, at);
    return at;
  }

  addFiles(added: FileList | null | undefined): void {
    if (added && added.length > 0) this.files.value = [...this.files.value, ...added];
  }

  /** @throws if the browser cannot read a file any more. */
  async toInput(): Promise<StartTurn> {
    const attachments = await Promise.all(this.files.value.map(toSentFile));
    const taggedFiles = mentionsIn(this.text.value, this.#mentions);
    const hasContext = attachments.length + taggedFiles.length > 0;
    return {
      content: this.text.value,
      modelId: this.modelId.value,
      reasoningEffort: this.effort.value || undefined,
      fileContext: hasContext ? { attachments, taggedFiles } : undefined,
    };
  }

  /** The next message is empty, and goes to the same model. */
  clear(): void {
    this.write("");
    this.files.value = [];
    this.#mentions = [];
  }
}

/** Why files cannot go with a message, in a sentence; undefined if they can. */
export function faultOf(files: readonly Pick<File, "name" | "size">[]): string | undefined {
  if (files.length > ATTACHMENTS_MAX) return `A message can have at most ${ATTACHMENTS_MAX} files.`;
  const large = files.find(({ size }) => size > ATTACHMENT_BYTES_MAX);
  if (large) return `${large.name} is larger than 2 MiB.`;
  const total = files.reduce((sum, { size }) => sum + size, 0);
  return total > ATTACHMENTS_BYTES_MAX ? "Together, the files are larger than 8 MiB." : undefined;
}

/** The bytes of a file in base64. @throws if the browser cannot read it any more. */
async function toSentFile(file: File) {
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Error(`${file.name} cannot be read.`);
  });
  // Without a type the engine takes it from the name.
  const mediaType = file.type || undefined;
  return { name: file.name, mediaType, data: toBase64(new Uint8Array(bytes)) };
}

const DRAFTS_KEY = "roundhouse.drafts";

/** What was typed and not sent, by its chat, or by the workspace of a new one. This browser keeps it over restarts. */
function readDraft(key: string): string {
  return read()[key] ?? "";
}

/** Keeps a draft; an empty one goes, and so does the oldest of too many. */
function writeDraft(key: string, text: string): void {
  const { [key]: _, ...others } = read();
  const kept = Object.entries(text === "" ? others : { ...others, [key]: text });
  const drafts = Object.fromEntries(kept.slice(-DRAFTS_MAX));
  if (text.length > DRAFT_CHARACTERS_MAX) return;
  localStorage.setItem(DRAFTS_KEY, JSON.stringify(drafts));
}

function read(): Record<string, string> {
  const kept = parseJson(localStorage.getItem(DRAFTS_KEY));
  return isJsonObject(kept) ? (kept as Record<string, string>) : {};
}
