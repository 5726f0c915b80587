// The script of `/dev/mail`: the copy buttons.
const NOTICE_MS = 4_000;

const say = createNotice(document.getElementById("notice"));

for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-code]")) {
  const { code = "" } = button.dataset;
  button.hidden = false;
  button.addEventListener("click", () => {
    void copy(code);
  });
}

async function copy(code: string): Promise<void> {
  const isDone = await navigator.clipboard.writeText(code).then(
    () => true,
    () => false,
  );
  say(isDone ? `${code} is copied.` : "The browser does not allow copying.");
}

/** Shows a text for some seconds. */
function createNotice(element: HTMLElement | null): (text: string) => void {
  let hiding: ReturnType<typeof setTimeout> | undefined;
  return (text) => {
    if (element) element.textContent = text;
    clearTimeout(hiding);
    hiding = setTimeout(() => element?.replaceChildren(), NOTICE_MS);
  };
}
