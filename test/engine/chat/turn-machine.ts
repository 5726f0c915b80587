import assert from "node:assert/strict";
import { ModelFailure, type ModelPart } from "../../../engine/models/language-model.ts";
import {
  type ChatHarness,
  createChatHarness,
  isTerminal,
  type ReceivedFrame,
} from "../../support/engine/chat.ts";
import { ScriptedModel, scriptedChat, testTool } from "../../support/providers/model.ts";
import {
  type Connection,
  checkEvents,
  checkFrames,
  checkStorage,
  refusals,
} from "./turn-invariants.ts";

/** What may happen next; numbers choose among what is there. */
export type Action =
  | { do: "send"; connection: number; target: "thread" | "workspace" | "unknown" | "invalid" }
  | { do: "cancel"; connection: number; turn: number }
  | { do: "disconnect"; connection: number }
  | { do: "approval"; from: number | "asked"; which: number; decision: string; names: boolean }
  | { do: "result"; from: number | "asked"; which: number; ok: boolean; names: boolean }
  | { do: "frame"; connection: number; text: string }
  | { do: "release"; which: number }
  | { do: "wait"; ticks: number }
  | { do: "microtasks"; count: number }
  | { do: "pass"; ms: number };

interface Question {
  connection: Connection;
  turnId: string;
  id: string;
}

const CONNECTIONS = 3;
const PARTS_PER_STEP_MAX = 4;

/** Several connections over a model and tools that stop at every await until they are let go. */
export class TurnMachine implements AsyncDisposable {
  readonly #tape: readonly number[];
  readonly #gates: (() => void)[] = [];
  readonly #connections: Connection[] = [];
  readonly #gone: Connection[] = [];
  readonly #approvals: Question[] = [];
  readonly #requests: Question[] = [];
  readonly #approved = new Set<string>();
  readonly #ran: string[] = [];
  #harness: ChatHarness | undefined;
  #at = 0;
  #turns = 0;
  #calls = 0;
  #streams = 0;
  #draining = false;

  constructor(tape: readonly number[]) {
    this.#tape = tape;
  }

  async open(): Promise<void> {
    const steps = Array.from({ length: 500 }, () => () => this.#step());
    const run = async (value: unknown) => {
      this.#ran.push(String(value));
      await this.#gate();
      return value;
    };
    const tools = [testTool("read_value", run), testTool("create_value", run)];
    const chat = scriptedChat(new ScriptedModel(...steps), { tools });
    this.#harness = await createChatHarness({ chat }, { approvalConfig: '{"read":false}' });
    for (let at = 0; at < CONNECTIONS; at += 1) this.#connections.push(this.#connect());
  }

  async act(action: Action): Promise<void> {
    const harness = this.harness;
    switch (action.do) {
      case "send":
        return this.#send(this.#connection(action.connection), action.target);
      case "cancel": {
        const { socket, sent } = this.#connection(action.connection);
        void socket.say({ type: "chat.cancel", id: sent[sent.length - 1 - action.turn] ?? "none" });
        return;
      }
      case "disconnect": {
        const connection = this.#connection(action.connection);
        connection.open = false;
        this.#gone.push(connection);
        this.#connections[action.connection] = this.#connect();
        void connection.socket.session.close();
        return;
      }
      case "approval":
        return this.#answerApproval(action);
      case "result":
        return this.#answerRequest(action);
      case "frame":
        void this.#connection(action.connection).socket.say(action.text);
        return;
      case "release":
        this.#gates.splice(action.which % (this.#gates.length || 1), 1)[0]?.();
        return;
      case "wait":
        for (let at = 0; at < action.ticks; at += 1) await new Promise(setImmediate);
        return;
      case "microtasks":
        for (let at = 0; at < action.count; at += 1) await Promise.resolve();
        return;
      case "pass":
        harness.test.deps.clock.advance(action.ms);
    }
  }

  /** Lets everything come to its end, then holds it to what must be true of any order of events. */
  async idle(): Promise<void> {
    this.#draining = true;
    for (let round = 0; round < 10_000 && !this.#isIdle(); round += 1) {
      for (const release of this.#gates.splice(0)) release();
      for (const { socket, sent } of this.#connections) {
        for (const id of sent) if (round % 8 === 7) void socket.say({ type: "chat.cancel", id });
      }
      await new Promise(setImmediate);
    }
    const all = [...this.#connections, ...this.#gone];
    for (const connection of all) checkFrames(connection);
    for (const { socket } of all) await socket.session.close();
    while (this.#streams > 0 || this.#gates.length > 0) {
      for (const release of this.#gates.splice(0)) release();
      await new Promise(setImmediate);
    }
    assert.equal(this.harness.test.deps.clock.pendingTimers, 0, "a timer is left");
    await checkStorage(this.harness, this.#connections, this.#gone);
    checkEvents(this.harness);
    for (const run of this.#ran.filter((value) => value.startsWith("create"))) {
      assert.ok(this.#approved.has(run), `${run} ran without approval`);
    }
    assert.equal(new Set(this.#ran).size, this.#ran.length, "a call ran twice");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.harness[Symbol.asyncDispose]();
  }

  get harness(): ChatHarness {
    assert.ok(this.#harness);
    return this.#harness;
  }

  #connect(): Connection {
    const connection: Connection = { socket: this.harness.connect(), sent: [], open: true };
    connection.socket.onFrame = (frame) => this.#notice(connection, frame);
    const tools = [{ id: "navigate_ui" }];
    void connection.socket.say({ type: "tool.register", data: { tools } });
    void connection.socket.say({ type: "client.hello" });
    return connection;
  }

  #notice(connection: Connection, { type, id, data }: ReceivedFrame): void {
    const turnId = id ?? "";
    if (type === "tool.approval.request") {
      this.#approvals.push({ connection, turnId, id: data.approval_id });
    }
    if (type === "client.tool.request") {
      this.#requests.push({ connection, turnId, id: data.request_id });
    }
  }

  #connection(at: number): Connection {
    return this.#connections[at % CONNECTIONS]!;
  }

  #send(connection: Connection, target: "thread" | "workspace" | "unknown" | "invalid"): void {
    this.#turns += 1;
    const id = `turn-${this.#turns}`;
    connection.sent.push(id);
    const { threadUuid, workspaceUuid } = this.harness;
    const data = {
      thread: { content: id, thread_uuid: threadUuid },
      workspace: { content: id, workspace_uuid: workspaceUuid },
      unknown: { content: id, thread_uuid: "unknown" },
      invalid: { content: id },
    }[target];
    void connection.socket.say({ type: "chat.send", id, data });
  }

  #answerApproval({ from, which, decision, names }: Extract<Action, { do: "approval" }>): void {
    const question = this.#approvals.at(-1 - (which % (this.#approvals.length || 1)));
    const connection = this.#answerer(question, from);
    if (!connection) return;
    const approval_id = question?.id ?? "none";
    if (question?.connection === connection && decision.toLowerCase() === "approve") {
      const shown = connection.socket
        .ofType("tool.approval.request")
        .find(({ data }) => data.approval_id === approval_id);
      this.#approved.add(String(shown?.data.arguments.value));
    }
    const id = names && question ? { id: question.turnId } : {};
    const data = { approval_id, decision };
    void connection.socket.say({ type: "tool.approval.response", ...id, data });
  }

  #answerRequest({ from, which, ok, names }: Extract<Action, { do: "result" }>): void {
    const question = this.#requests.at(-1 - (which % (this.#requests.length || 1)));
    const connection = this.#answerer(question, from);
    const id = names && question ? { id: question.turnId } : {};
    const data = { request_id: question?.id ?? "none", ok, result: 1 };
    void connection?.socket.say({ type: "client.tool.result", ...id, data });
  }

  #answerer(question: Question | undefined, from: number | "asked"): Connection | undefined {
    return from === "asked" ? question?.connection : this.#connection(from);
  }

  /** Held until it is released; nothing is while the machine is drained. */
  #gate(): Promise<void> {
    if (this.#draining) return Promise.resolve();
    return new Promise((resolve) => {
      this.#gates.push(resolve);
    });
  }

  #choose(): number {
    this.#at += 1;
    return this.#draining ? 0 : (this.#tape[this.#at % (this.#tape.length || 1)] ?? 0);
  }

  async *#step(): AsyncIterable<ModelPart> {
    this.#streams += 1;
    try {
      for (let parts = 0; parts < PARTS_PER_STEP_MAX; parts += 1) {
        await this.#gate();
        const part = this.#part(this.#choose());
        if (!part) break;
        yield part;
      }
      await this.#gate();
      yield { type: "end", usage: undefined };
    } finally {
      this.#streams -= 1;
    }
  }

  #part(choice: number): ModelPart | undefined {
    this.#calls += 1;
    const call = (toolName: string, value: unknown): ModelPart => {
      const argumentsText = typeof value === "string" ? value : JSON.stringify({ value });
      return {
        type: "tool-call",
        call: { toolCallId: `c${this.#calls}`, toolName, argumentsText },
      };
    };
    switch (choice) {
      case 1:
        return { type: "delta", text: `text ${this.#calls} ` };
      case 2:
        return call("read_value", [`read ${this.#calls}`]);
      case 3:
        return call("create_value", [`create ${this.#calls}`]);
      case 4:
        return call("navigate_ui", [this.#calls]);
      case 5:
        throw new ModelFailure("The model failed.");
      case 6:
        throw new Error("A fault.");
      case 7:
        throw new ModelFailure("Too long.", { contextOverflow: true });
      case 8:
        return call("unknown_tool", [1]);
      case 9:
        return call("read_value", "garbled");
      default:
        return undefined;
    }
  }

  #isIdle(): boolean {
    return this.#connections.every(({ socket, sent }) => {
      const ended = socket.frames.filter(isTerminal).length;
      return ended + refusals(socket) === sent.length;
    });
  }
}
