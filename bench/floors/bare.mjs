// The floor of a start: the least that answers at all.
import { createServer } from "node:http";

const server = createServer((_request, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end('{"status":"ok","version":"0"}');
});
server.listen(Number(process.env.ENGINE_PORT), "127.0.0.1");
