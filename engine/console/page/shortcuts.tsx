import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { PAGES } from "./pages.ts";
import { hrefOf } from "./router.ts";
import { type Action, actionOf, letterOfPages } from "./shortcut-keys.ts";
import { Dialog } from "./ui/dialog.tsx";

const GO_WAIT_MS = 1500;
const LETTERS = letterOfPages(PAGES.map(({ path }) => path));
const TYPED_IN = "input, textarea, select, [contenteditable]";

/** Whether the list of shortcuts is shown. */
export const showsShortcuts = signal(false);

/** Keys of the whole console; a dialog has its own. */
export function Shortcuts() {
  useEffect(() => {
    let goUntil = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
      const isAfterGo = event.timeStamp < goUntil;
      const action = actionOf(pressed(event), isAfterGo, LETTERS);
      goUntil = action?.type === "go" ? event.timeStamp + GO_WAIT_MS : 0;
      if (action && act(action)) event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return showsShortcuts.value ? <Help /> : null;
}

function pressed({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent) {
  const isTyping = target instanceof Element && target.matches(TYPED_IN);
  return { key, hasModifier: ctrlKey || metaKey || altKey, isTyping };
}

/** @returns whether it did something. */
function act(action: NonNullable<Action>): boolean {
  if (action.type === "page") location.hash = hrefOf(action.path);
  if (action.type === "help") showsShortcuts.value = true;
  if (action.type === "leave") leaveField();
  if (action.type !== "search") return action.type !== "leave";
  const field = document.querySelector<HTMLInputElement>("#content input[type=search]");
  field?.focus();
  return field !== null;
}

function leaveField(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

function Help() {
  const pages = [...LETTERS].flatMap(([letter, path]) => {
    const page = PAGES.find((it) => it.path === path);
    return page ? [{ letter, title: page.title }] : [];
  });
  return (
    <Dialog
      title="Keyboard shortcuts"
      onClose={() => {
        showsShortcuts.value = false;
      }}
    >
      <dl class="shortcuts">
        {pages.map(({ letter, title }) => (
          <div key={letter}>
            <dt>
              <kbd>g</kbd> then <kbd>{letter}</kbd>
            </dt>
            <dd>{title}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>Search this page</dd>
        </div>
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>Leave a field or a dialog</dd>
        </div>
        <div>
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>This list</dd>
        </div>
      </dl>
    </Dialog>
  );
}
