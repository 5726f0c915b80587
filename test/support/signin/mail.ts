import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { randomToken } from "../../../shared/random.ts";
import { type FakeServer, startFakeServer } from "../fake-server.ts";

/** A mail as the sign-in server handed it over. */
interface Mail {
  to: string;
  from: string;
  subject: string;
  text: string;
}

/** A mail service over HTTP. */
export interface Mailbox extends FakeServer {
  token: string;
  mails: Mail[];
  /** The first mail of this kind; waits for it. */
  until(isMeant: (mail: Mail) => boolean): Promise<Mail>;
  /** Whether it refuses each message with 503. */
  refuses: boolean;
  /** The newest code that was sent to an address; waits for it. */
  codeFor(address: string): Promise<string>;
}

export async function startMailbox(secrets: Set<string>): Promise<Mailbox> {
  const token = randomToken();
  const mails: Mail[] = [];
  let arrived = Promise.withResolvers<void>();
  const taken = new Map<string, number>();
  const server = await startFakeServer(() => async (request, { body }) => {
    if (request.headers.get("authorization") !== `Bearer ${token}`) {
      return new Response(null, { status: 401 });
    }
    if (mailbox.refuses) return new Response(null, { status: 503 });
    const mail: Mail = JSON.parse(body);
    mails.push(mail);
    for (const [code] of mail.text.matchAll(/\b\d{8}\b/g)) secrets.add(code);
    arrived.resolve();
    arrived = Promise.withResolvers();
    return new Response(null, { status: 202 });
  });
  const mailbox = Object.assign(server, {
    refuses: false,
    token,
    mails,
    async until(isMeant: (mail: Mail) => boolean): Promise<Mail> {
      for (;;) {
        const found = mails.find(isMeant);
        if (found) return found;
        await arrived.promise;
      }
    },
    async codeFor(address: string): Promise<string> {
      for (;;) {
        const from = taken.get(address) ?? 0;
        const at = mails.findLastIndex(({ to }, index) => to === address && index >= from);
        const code = /\b\d{8}\b/.exec(mails[at]?.text ?? "")?.[0];
        if (code) {
          taken.set(address, at + 1);
          return code;
        }
        await arrived.promise;
      }
    },
  });
  return mailbox;
}

/** A message as a mail server got it. */
interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and body as they came, dots unstuffed. */
  data: string;
}

/** A mail server on a loopback port that takes everything, or refuses at one command. */
export interface SmtpReceiver extends AsyncDisposable {
  port: number;
  received: ReceivedMail[];
  /** What clients said, line by line, the messages left out. */
  commands: string[];
  /** A command (`RCPT`) that is answered with 550 from now on; `greeting` for the connection itself, `.` for the
   * message, which is quoted. */
  refuse: string | undefined;
}

export async function startSmtpReceiver(): Promise<SmtpReceiver> {
  const sockets = new Set<Socket>();
  const receiver: Omit<SmtpReceiver, "port" | typeof Symbol.asyncDispose> = {
    received: [],
    commands: [],
    refuse: undefined,
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    converse(socket, receiver);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(receiver, {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => close(server, sockets),
  });
}

type State = Pick<SmtpReceiver, "received" | "commands" | "refuse">;

function converse(socket: Socket, state: State): void {
  let mail: ReceivedMail = { from: "", to: [], data: "" };
  let inData = false;
  let rest = "";
  const say = (line: string) => socket.write(`${line}\r\n`);
  say(state.refuse === "greeting" ? "554 no service" : "220 receiver.test ESMTP");

  socket.setEncoding("utf8").on("data", (chunk: string) => {
    rest += chunk;
    for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 2);
      if (inData) takeData(line);
      else takeCommand(line);
    }
  });

  function takeData(line: string): void {
    if (line !== ".") {
      mail.data += `${line.replace(/^\./, "")}\r\n`;
      return;
    }
    inData = false;
    if (state.refuse === ".")
      return void say(`554 5.7.1 filtered: ${mail.data.replace(/\s+/g, " ")}`);
    state.received.push(mail);
    mail = { from: "", to: [], data: "" };
    say("250 taken");
  }

  function takeCommand(line: string): void {
    state.commands.push(line);
    const [verb = ""] = line.toUpperCase().split(/[ :]/, 1);
    const address = /<([^>]*)>/.exec(line)?.[1] ?? "";
    if (verb === state.refuse) return void say(`550 refused: ${line}`);
    switch (verb) {
      case "EHLO":
        return void say("250-receiver.test\r\n250-8BITMIME\r\n250 AUTH PLAIN");
      case "MAIL":
        mail.from = address;
        return void say("250 ok");
      case "RCPT":
        mail.to.push(address);
        return void say("250 ok");
      case "DATA":
        inData = true;
        return void say("354 go on");
      case "AUTH":
        return void say("235 welcome");
      case "STARTTLS":
        return void say("502 no TLS here");
      case "QUIT":
        say("221 bye");
        return void socket.end();
      default:
        return void say("250 ok");
    }
  }
}

async function close(server: Server, sockets: Set<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
}
