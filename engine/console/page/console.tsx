// The console: opens its session with the link of the address, then shows the page that the address names. Until then the
// document shows itself.
import { render } from "preact";
import { App } from "./app.tsx";
import { startChanges } from "./changes.ts";
import { enter } from "./session.ts";
import { startShown } from "./shown.ts";

const place = document.getElementById("console");
if (place) {
  startShown();
  void startChanges();
  void enter().then(() => {
    place.replaceChildren();
    render(<App />, place);
  });
}
