import { showAccount } from "./account.ts";
import { Refusal, Session } from "./api.ts";
import { byId, fieldsOf } from "./dom.ts";
import { wirePasskeys } from "./passkeys.ts";

// The user's page. Its state is the session; everything else is read from the server each time it is shown.
const session = new Session();
const signedOut = byId("signed-out", HTMLElement);
const signedIn = byId("signed-in", HTMLElement);

const passkeys = wirePasskeys(session, act);

wireForms();
void start();

async function start(): Promise<void> {
  const back = new URLSearchParams(location.search);
  history.replaceState(null, "", location.pathname);
  if (back.get("auth") === "success") session.forgetTab();
  const connected = back.get("connected");
  await act(async () => {
    if (!(await session.resume())) return "";
    // The link can be forged: the page reports a connection only where the server lists it.
    if (connected !== null)
      return (slugs) => (slugs.includes(connected) ? `${connected} is connected.` : "");
    return back.get("auth") === "success" ? "You are signed in." : "";
  });
}

/** A sentence, or one that depends on the connected providers. */
type Notice = string | ((connected: string[]) => string);

/** Runs an action, then shows its result and the new state. */
async function act(work: () => Promise<Notice>): Promise<void> {
  say("", "");
  try {
    const notice = await work();
    const connected = await show();
    say(typeof notice === "string" ? notice : notice(connected), "");
  } catch (error) {
    const text =
      error instanceof Refusal ? error.message : "Something went wrong. Please try again.";
    say("", text);
  }
}

function say(notice: string, problem: string): void {
  byId("notice", HTMLElement).textContent = notice;
  byId("problem", HTMLElement).textContent = problem;
}

/** Shows the present state; returns the connected providers. */
async function show(): Promise<string[]> {
  const wasSignedIn = !signedIn.hidden;
  const [connected] = session.isOpen
    ? await Promise.all([showAccount(session, act), passkeys.show()])
    : [[]];
  signedIn.hidden = !session.isOpen;
  signedOut.hidden = session.isOpen;
  if (session.isOpen) passkeys.stop();
  else passkeys.offer();
  if (wasSignedIn !== session.isOpen) {
    // A screen reader follows the focus to the change.
    byId(session.isOpen ? "account-title" : "sign-in-title", HTMLElement).focus();
  }
  return connected;
}

function wireForms(): void {
  onSubmit("login-form", async (fields) => {
    session.begin(await session.call("POST", "/auth/login", fields));
    return "You are signed in.";
  });
  wireCode({
    asks: "signup-code-form",
    completes: "signup-form",
    path: "/auth/signup",
    done: "The account is made.",
  });
  wireCode({
    asks: "reset-code-form",
    completes: "reset-form",
    path: "/auth/password/reset",
    done: "The password is changed and all other sessions are ended. Check the connections below: a provider that you did not connect can still sign in.",
  });
  byId("logout", HTMLButtonElement).addEventListener("click", () => {
    void act(async () => {
      await session.logOut();
      return "You are logged out.";
    });
  });
  byId("logout-others", HTMLButtonElement).addEventListener("click", () => {
    void act(async () => {
      await session.call("POST", "/auth/logout", { scope: "others" });
      return "All other sessions are ended.";
    });
  });
}

interface CodeFlow {
  asks: string;
  completes: string;
  path: string;
  done: string;
}

/** Asks for an address, then for the code that was mailed to it. */
function wireCode({ asks, completes, path, done }: CodeFlow): void {
  let email = "";
  onSubmit(asks, async (fields) => {
    const { notice } = await session.call<{ notice: string }>("POST", `${path}/code`, fields);
    email = fields.email ?? "";
    const form = byId(completes, HTMLFormElement);
    form.hidden = false;
    form.querySelector("input")?.focus();
    return notice;
  });
  onSubmit(completes, async (fields) => {
    session.begin(await session.call("POST", `${path}/complete`, { ...fields, email }));
    byId(completes, HTMLFormElement).hidden = true;
    return done;
  });
}

function onSubmit(id: string, work: (fields: Record<string, string>) => Promise<string>): void {
  const form = byId(id, HTMLFormElement);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const submit = form.querySelector("button");
    if (submit) submit.disabled = true;
    void act(async () => {
      const notice = await work(fieldsOf(form));
      form.reset();
      return notice;
    }).finally(() => {
      if (submit) submit.disabled = false;
    });
  });
}
