import { signal } from "@preact/signals";
import type { StartTurn } from "../../../client/client.ts";
import { toSentFile } from "./attachments.ts";
import { readDraft, writeDraft } from "./drafts.ts";
import { type Mention, mentionAt, mentionsIn, withMention } from "./mention.ts";

/** How much a model thinks before it answers, and what a person calls it. */
export const EFFORTS = [
  ["", "Thinks as usual"],
  ["off", "Does not think"],
  ["low", "Thinks a little"],
  ["medium", "Thinks"],
  ["high", "Thinks hard"],
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
    const context = {
      ...(attachments.length > 0 ? { attachments } : {}),
      ...(taggedFiles.length > 0 ? { taggedFiles } : {}),
    };
    return {
      content: this.text.value,
      ...(this.modelId.value === undefined ? {} : { modelId: this.modelId.value }),
      ...(this.effort.value === "" ? {} : { reasoningEffort: this.effort.value }),
      ...(Object.keys(context).length > 0 ? { fileContext: context } : {}),
    };
  }

  /** The next message is empty, and goes to the same model. */
  clear(): void {
    this.write("");
    this.files.value = [];
    this.#mentions = [];
  }
}
