import { signal } from "@preact/signals";

const message = signal("");

/** Says something to a screen reader that a person who looks sees anyway. */
export function announce(text: string): void {
  // The same words once more would not be said: nothing would have changed.
  message.value = message.value === text ? `${text} ` : text;
}

/** The one place that screen readers listen to. */
export function Announcements() {
  return (
    <p class="visually-hidden" role="status">
      {message}
    </p>
  );
}
