import { invalid } from "../errors.ts";
import type {
  ModelMessage,
  ModelRequest,
  ToolOutcome,
  ToolSpec,
} from "../models/language-model.ts";
import type { ContextWindow } from "../models/wire.ts";
import type { Passage } from "../tools/builtin/builtin.ts";
import {
  countNewestWithin,
  MESSAGE_TOKENS,
  messageTokens,
  plannedTokens,
  sumTokens,
  textTokens,
  tokenBytes,
} from "./context-window.ts";
import { DROPPED_LISTED_MAX, DROPPED_NAMED_MAX, RESULT_TOKENS_MIN } from "./limits.ts";
import { SENT_KINDS, type SentContext, type SentKind, type TurnSource } from "./sent-wire.ts";

const NO_ROOM = "[This result was left out: the context window has no room for it.]";
const NO_ROOM_TOKENS = textTokens(NO_ROOM);

const SUMMARY_BEFORE = "[A summary of what was said before:]";

type UserMessage = Extract<ModelMessage, { role: "user" }>;
type StepMessage = Extract<ModelMessage, { role: "step" }>;

interface TurnBeginning {
  window: ContextWindow;
  instructions: string;
  /** Of what was said before the history. */
  summary?: string | undefined;
  /** The messages before this turn, oldest first. */
  history: readonly ModelMessage[];
  question: UserMessage;
}

/** What a result holds, and what a tool left out of it for its size. */
export interface SentResult {
  outcome: ToolOutcome;
  passages: readonly Passage[];
  /** Such as "7 of 10 passages"; undefined if the result is whole. */
  leftOut: string | undefined;
}

/** What a search found for a model that cannot search by itself. */
export interface FoundPassages {
  text: string;
  passages: readonly Passage[];
  leftOut: string | undefined;
}

interface Step {
  message: StepMessage;
  results: SentResult[];
  images: ModelMessage[];
}

/**
 * What one turn sends to its model: each request fits the context window. In order of their claim: instructions, tools,
 * question, results of this turn, history. It remembers what was sent, and what had no room.
 */
export class TurnInput {
  readonly #window: ContextWindow;
  readonly #summary: string;
  readonly #history: readonly ModelMessage[];
  readonly #question: UserMessage;
  #instructions: string;
  #planned: number;
  #toolTokens = 0;
  #found: FoundPassages | undefined;
  #steps: Step[] = [];
  #parts: SentContext["parts"] = [];
  readonly #dropped = new Map<string, SentContext["dropped"][number]>();
  readonly #notices = new Set<string>();
  readonly #sources = new Map<string, TurnSource>();

  constructor({ window, instructions, summary, history, question }: TurnBeginning) {
    this.#summary = summary === undefined ? "" : `${SUMMARY_BEFORE}\n${summary}\n\n`;
    this.#window = window;
    this.#planned = plannedTokens(window.window);
    this.#instructions = instructions;
    this.#history = history;
    this.#question = question;
  }

  /** The record of what was sent so far. */
  get context(): SentContext {
    const dropped = [...this.#dropped.values()];
    return {
      ...this.#window,
      inputTokens: this.#parts.reduce((sum, { tokens }) => sum + tokens, 0),
      parts: this.#parts,
      dropped,
      notices: [...this.#notices, ...noticeOf(dropped, this.#window)],
    };
  }

  /** The passages that stood in what was sent so far, each once. */
  get sources(): TurnSource[] {
    return [...this.#sources.values()];
  }

  /** Adds a sentence for the user. */
  notice(sentence: string): void {
    this.#notices.add(sentence);
  }

  /** Records what is cut or left out. */
  drop(kind: SentKind, what: string): void {
    if (this.#dropped.size >= DROPPED_LISTED_MAX) return;
    this.#dropped.set(`${kind} ${what}`, { kind, what });
  }

  /** Adds a model step that called tools; results belong to the newest one. */
  addStep(message: StepMessage): void {
    this.#steps.push({ message, results: [], images: [] });
  }

  addResult(result: SentResult): void {
    this.#steps.at(-1)?.results.push(result);
    if (result.leftOut !== undefined) this.drop("results", result.leftOut);
  }

  /** Images that the tools of the newest step returned. */
  addImages(images: readonly ModelMessage[]): void {
    this.#steps.at(-1)?.images.push(...images);
  }

  /** From now on the model gets no tools: these passages stand before its question, and other instructions. */
  goWithoutTools(instructions: string, found: FoundPassages | undefined): void {
    this.#instructions = instructions;
    this.#found = found;
    if (found?.leftOut !== undefined) this.drop("results", found.leftOut);
  }

  /** The bytes that passages before the question may take. */
  roomForFound(instructions: string): number {
    const question = messageTokens(this.#question) + MESSAGE_TOKENS;
    const taken = textTokens(instructions) + this.#summaryTokens() + question;
    return tokenBytes(Math.max(0, this.#planned - taken));
  }

  /**
   * The bytes that the result of the next of so many calls of a step may take: its share of what is left. Where that is
   * little, older results of the turn give way.
   */
  roomForResult(callsLeft: number): number {
    const results = this.#steps.flatMap((step) => toMessages(step));
    const taken = this.#fixedTokens() + sumTokens(results) + callsLeft * MESSAGE_TOKENS;
    const left = this.#planned - taken;
    const older = this.#steps.slice(0, -1).flatMap((step) => step.results);
    const yielding = older.reduce((sum, { outcome }) => sum + savedBy(outcome), 0);
    const wanted = RESULT_TOKENS_MIN * callsLeft;
    const room = left >= wanted ? left : Math.min(left + yielding, wanted);
    return tokenBytes(Math.max(0, Math.floor(room / callsLeft)));
  }

  /** The provider takes less than was planned: from now on half of it. */
  halve(): void {
    this.#planned = Math.floor(this.#planned / 2);
    this.notice("The model takes less than its context window: half of it was used.");
  }

  /**
   * The next request. The question is always in it, and what was sent before is cut no further than it must be.
   * @throws EngineError `invalid` if the question alone exceeds a window that is known.
   */
  compose(tools: readonly ToolSpec[]): ModelRequest {
    this.#toolTokens = tools.length === 0 ? 0 : textTokens(JSON.stringify(tools));
    if (this.#toolTokens > 0 && this.#fixedTokens() > this.#window.window) {
      this.drop("tools", "all tools");
      return this.compose([]);
    }
    this.#checkQuestion();
    this.#fitSteps(this.#planned - this.#fixedTokens());
    const turn = this.#steps.flatMap(toMessages);
    const history = this.#fitHistory(this.#planned - this.#fixedTokens() - sumTokens(turn));
    const question = this.#questionMessage();
    this.#record(turn, history);
    const messages = this.#withSummary([...history, question, ...turn]);
    return { instructions: this.#instructions, messages, tools };
  }

  #fixedTokens(): number {
    const question = messageTokens(this.#questionMessage());
    return textTokens(this.#instructions) + this.#toolTokens + this.#summaryTokens() + question;
  }

  #summaryTokens(): number {
    return this.#summary === "" ? 0 : textTokens(this.#summary) + MESSAGE_TOKENS;
  }

  /** The summary stands in the first message: some models take no two messages of one role in a row. */
  #withSummary(messages: ModelMessage[]): ModelMessage[] {
    if (this.#summary === "") return messages;
    const [first, ...rest] = messages;
    if (first?.role !== "user") return [{ role: "user", content: this.#summary }, ...messages];
    return [{ ...first, content: this.#summary + first.content }, ...rest];
  }

  #questionMessage(): UserMessage {
    if (!this.#found) return this.#question;
    return { ...this.#question, content: `${this.#found.text}\n\n${this.#question.content}` };
  }

  #checkQuestion(): void {
    const { window, source } = this.#window;
    const tokens = messageTokens(this.#question);
    if (tokens <= window) return;
    const about = `The message has about ${tokens} tokens, and the context window ${window} (${source}).`;
    if (source !== "assumed") {
      throw invalid(`${about} Shorten it, or choose a model with a larger context window.`);
    }
    this.notice(`${about} State the window of the model in its configuration.`);
  }

  /** The oldest results become a sentence each, then the oldest steps go. The newest step stays. */
  #fitSteps(tokensMax: number): void {
    let excess = sumTokens(this.#steps.flatMap(toMessages)) - tokensMax;
    for (const step of this.#steps) {
      if (excess > 0 && step.images.length > 0) {
        excess -= sumTokens(step.images);
        step.images = [];
        this.drop("results", "images that tools returned");
      }
      step.results = step.results.map((result) => {
        const saved = savedBy(result.outcome);
        if (excess <= 0 || saved <= 0) return result;
        excess -= saved;
        const { outcome } = result;
        this.drop("results", `a result of ${outcome.toolName}`);
        return { outcome: { ...outcome, output: NO_ROOM }, passages: [], leftOut: undefined };
      });
    }
    while (excess > 0 && this.#steps.length > 1) {
      excess -= sumTokens(this.#steps.splice(0, 1).flatMap(toMessages));
      this.drop("results", "the oldest steps of the turn");
    }
  }

  #fitHistory(tokensMax: number): ModelMessage[] {
    const from = this.#history.length - countNewestWithin(this.#history, tokensMax);
    if (from > 0) this.drop("history", "the oldest messages");
    return startOfExchange(this.#history, from);
  }

  #record(turn: readonly ModelMessage[], history: readonly ModelMessage[]): void {
    const question = messageTokens(this.#question);
    const found = messageTokens(this.#questionMessage()) - question;
    const tokens: Readonly<Record<SentKind, number>> = {
      instructions: textTokens(this.#instructions),
      tools: this.#toolTokens,
      summary: this.#summaryTokens(),
      question,
      results: sumTokens(turn) + found,
      history: sumTokens(history),
    };
    this.#parts = SENT_KINDS.flatMap((kind) =>
      tokens[kind] > 0 ? { kind, tokens: tokens[kind] } : [],
    );
    const results = this.#steps.flatMap((step) => step.results);
    const passages = [this.#found, ...results].flatMap((held) => held?.passages ?? []);
    for (const passage of passages) {
      const { rootIndex, path, startLine, endLine } = passage;
      const key = JSON.stringify([rootIndex, path, startLine, endLine]);
      if (!this.#sources.has(key)) this.#sources.set(key, passage);
    }
  }
}

function toMessages({ message, results, images }: Step): ModelMessage[] {
  return [message, { role: "tool", results: results.map(({ outcome }) => outcome) }, ...images];
}

/** The tokens that a sentence in the place of a result saves. */
function savedBy({ output }: ToolOutcome): number {
  return textTokens(output) - NO_ROOM_TOKENS;
}

// Drops leading answers without their question: some providers reject a history that begins with one.
function startOfExchange(history: readonly ModelMessage[], from: number): ModelMessage[] {
  let start = from;
  while (start > 0 && history[start]?.role === "assistant") start += 1;
  return history.slice(start);
}

function noticeOf(dropped: SentContext["dropped"], { window, source }: ContextWindow): string[] {
  if (dropped.length === 0) return [];
  const named = dropped.slice(0, DROPPED_NAMED_MAX).map(({ what }) => what);
  const more = dropped.length - named.length;
  if (more > 0) named.push(`${more} more`);
  return [
    `The context window of ${window} tokens (${source}) has no room for: ${named.join(", ")}.`,
  ];
}
