import type { TestSocket } from "./socket.ts";

/** A UUID of version 4. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Sends `client.hello` and returns its answer. */
export async function hello(socket: TestSocket, data: unknown = {}) {
  await socket.say({ type: "client.hello", data });
  return socket.frames.at(-1)!;
}
