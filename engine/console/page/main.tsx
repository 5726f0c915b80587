// The console: opens its session with the link of the address, then shows the page that the address names.
import { render } from "preact";
import { App } from "./app.tsx";
import { startChanges } from "./changes.ts";
import { enter } from "./session.ts";
import { startTheme } from "./ui/theme.tsx";

const place = document.getElementById("console");
if (place) {
  startTheme();
  place.replaceChildren();
  render(<App />, place);
  startChanges();
  void enter();
}
