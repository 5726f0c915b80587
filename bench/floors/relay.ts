// The floor of delta forwarding: a stream of chat completions read line by line and sent on as WebSocket frames, with
// nothing stored, checked or parsed that need not be. Prints its port once it listens.
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

const [, , providerUrl = ""] = process.argv;
const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });

sockets.on("connection", (socket) => {
  socket.on("message", (data) => {
    const { id } = JSON.parse(String(data));
    const options = { method: "POST", headers: { "Content-Type": "application/json" } };
    const asked = request(`${providerUrl}/chat/completions`, options, (response) => {
      let rest = "";
      response.setEncoding("utf8");
      response.on("data", (text: string) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          if (!line.startsWith("data: {")) continue;
          const delta = JSON.parse(line.slice(6)).choices[0]?.delta.content;
          if (!delta) continue;
          const event = { thread_uuid: "t", type: "model.delta", node_id: "model", delta };
          socket.send(JSON.stringify({ v: 1, type: "agui.event", id, data: event }));
        }
      });
      response.on("end", () => socket.send(JSON.stringify({ v: 1, type: "chat.done", id })));
    });
    asked.end(JSON.stringify({ stream: true }));
  });
});
server.listen(0, "127.0.0.1", () => {
  console.log((server.address() as AddressInfo).port);
});
