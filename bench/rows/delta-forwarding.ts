import { once } from "node:events";
import WebSocket from "ws";
import { type Exchange, startProviderServer } from "../../test/support/providers/server.ts";
import { interleave, median, medianRatio, type Row } from "../harness.ts";
import { callTarget, createThread, startEngine, startScript, type Target } from "../processes.ts";

const DELTAS = 400;
const P50_MS_MAX = 1;

/** From the bytes that leave a provider to the frame that reaches a client, one delta after the other. */
export const deltaForwardingRow: Row = {
  name: "Delta forwarding",
  figure: "p50 < 1 ms, provider chunk in to frame out",
  async measure() {
    await using server = await startProviderServer();
    await using engine = await startEngine();
    await using relay = await startRelay(`${server.url}/v1`);
    const configuration = {
      provider: "openai-compatible",
      model: "m",
      baseUrl: `${server.url}/v1`,
    };
    const path = "/model-configurations";
    const { id } = await callTarget<{ id: string }>(engine, "POST", path, configuration);
    const thread = await createThread(engine);
    const ask = (turn: string, data: object) =>
      JSON.stringify({ type: "chat.send", id: turn, data });
    const measure = (target: Target) => async () => {
      const asked = server.next();
      server.script(() => {});
      await using client = await connect(target);
      const data = { content: "go on", thread_uuid: thread, model_id: id };
      client.socket.send(ask(crypto.randomUUID(), data));
      return median(await timeDeltas(await asked, client));
    };
    await measure(engine)();
    await measure(relay)();
    const pair = await interleave(measure(engine), measure(relay));
    const p50 = median(pair.ours);
    return [
      {
        ours: `${p50.toFixed(2)} ms`,
        floor: `${median(pair.floor).toFixed(2)} ms`,
        ratio: medianRatio(pair).toFixed(2),
        reached: p50 < P50_MS_MAX,
      },
    ];
  },
};

interface Client extends AsyncDisposable {
  socket: WebSocket;
  next(type: string): Promise<void>;
}

async function timeDeltas(exchange: Exchange, client: Client): Promise<number[]> {
  exchange.head(200, { "content-type": "text/event-stream" });
  const times: number[] = [];
  for (let at = 0; at < DELTAS; at += 1) {
    const arrived = client.next("model.delta");
    const startedAt = performance.now();
    void exchange.write(chunk({ content: `word ${at} ` }, null));
    await arrived;
    times.push(performance.now() - startedAt);
  }
  const done = client.next("chat.done");
  await exchange.write(`${chunk({}, "stop")}data: [DONE]\n\n`);
  exchange.end();
  await done;
  return times;
}

function chunk(delta: object, finish_reason: string | null): string {
  return `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
}

async function connect({ port, token }: Target): Promise<Client> {
  const headers = { Authorization: `Bearer ${token}` };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/events`, { headers });
  await once(socket, "open");
  return {
    socket,
    next: (type) =>
      new Promise((resolve, reject) => {
        const look = (data: WebSocket.RawData) => {
          const text = String(data);
          if (text.includes('"type":"chat.error"')) reject(new Error(text));
          if (!text.includes(`"type":"${type}"`)) return;
          socket.off("message", look);
          resolve();
        };
        socket.on("message", look);
      }),
    async [Symbol.asyncDispose]() {
      socket.terminate();
    },
  };
}

async function startRelay(providerUrl: string): Promise<Target> {
  return { ...(await startScript("floors/relay.ts", [providerUrl])), token: "x" };
}
