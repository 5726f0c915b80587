// The console: opens its session with the link of the address, then shows the page that the address names.
import { render } from "preact";
import { App } from "./app.tsx";
import { enter } from "./session.ts";

const place = document.getElementById("console");
if (place) {
  place.replaceChildren();
  render(<App />, place);
  void enter();
}
