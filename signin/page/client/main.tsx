// The user's page. Its state is the session; everything else is read from the server each time it is shown.
import { render } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { AccountView } from "./account/account.tsx";
import { ProofDialog } from "./account/proof.tsx";
import { toSentence } from "./failures.ts";
import { Heading } from "./heading.tsx";
import { Icon } from "./icon.tsx";
import { forgetTab, isSignedIn, proofRequest, resumeSession } from "./session.ts";
import { display, notice, shown } from "./state.ts";
import { View } from "./views.tsx";
import { say, texts } from "./words.ts";
import { byId, providerName } from "./written.ts";

const view = byId("view");
const appName = byId("brand").textContent;

const clear = () => {
  notice.value = "";
};

addEventListener("hashchange", () => {
  clear();
  void display();
});
// A sentence stays until the next thing that the reader does.
addEventListener("click", clear, { capture: true });
void start();

async function start(): Promise<void> {
  const back = new URLSearchParams(location.search);
  history.replaceState(null, "", location.pathname + location.hash);
  if (back.get("auth") === "success") forgetTab();
  render(<Toast />, byId("toast"));
  await resumeSession().catch((error: unknown) => {
    notice.value = toSentence(error);
  });
  await display();
  view.replaceChildren();
  render(<Page />, view);
  notice.value = notice.value || welcome(back);
}

/** The link can be forged: the page reports a connection only if the server lists it. */
function welcome(back: URLSearchParams): string {
  const provider = back.get("connected");
  const { providers = [] } = "account" in shown.value ? shown.value.account : {};
  if (providers.some(({ slug, connected }) => connected && slug === provider)) {
    return say(texts.connected, { provider: providerName(provider ?? "") });
  }
  return back.get("auth") === "success" && isSignedIn.value ? texts.signedIn : "";
}

function Page() {
  const now = shown.value;
  // Names the view in the address and in the title, and lays it out.
  useLayoutEffect(() => {
    history.replaceState(null, "", `${location.pathname}#${now.view}`);
    document.title = `${view.querySelector("h1")?.textContent} · ${appName}`;
    byId("frame").dataset.view = now.view;
    // What the server wrote stood there until the first view.
    view.removeAttribute("aria-busy");
  }, [now]);
  return (
    <>
      {now.view !== "account" ? (
        <View key={now} name={now.view} />
      ) : "account" in now ? (
        <AccountView {...now} />
      ) : (
        <Unread key={now} problem={now.problem} />
      )}
      {proofRequest.value && <ProofDialog {...proofRequest.value} />}
    </>
  );
}

/** In the place of an account that could not be read. */
function Unread({ problem }: { problem: string }) {
  return (
    <>
      <Heading>{texts.account}</Heading>
      <p class="problem">{problem}</p>
      <button type="button" onClick={() => void display()}>
        {texts.tryAgain}
      </button>
    </>
  );
}

function Toast() {
  return (
    <>
      <p id="notice" role="status">
        {notice}
      </p>
      <button type="button" class="icon-only" aria-label={texts.close} onClick={clear}>
        <Icon name="close" />
      </button>
    </>
  );
}
