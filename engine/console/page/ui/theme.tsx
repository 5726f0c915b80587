import { effect, signal } from "@preact/signals";
import { IconButton } from "./action.tsx";

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const THEME_KEY = "roundhouse.theme";
const kept = localStorage.getItem(THEME_KEY);
const theme = signal<Theme>(THEMES.find((name) => name === kept) ?? "system");

// Shows the page in the chosen theme, and keeps the choice in this browser.
effect(() => {
  const { value } = theme;
  document.documentElement.style.colorScheme = value === "system" ? "" : value;
  if (value === "system") localStorage.removeItem(THEME_KEY);
  else localStorage.setItem(THEME_KEY, value);
});

/** Chooses between the colours of the system, light and dark. */
export function ThemeSwitch() {
  return (
    <fieldset class="theme">
      <legend class="visually-hidden">Theme</legend>
      {THEMES.map((name) => (
        <IconButton
          key={name}
          class="quiet"
          icon={name}
          label={name}
          aria-pressed={theme.value === name}
          title={`Theme: ${name}`}
          onClick={() => (theme.value = name)}
        />
      ))}
    </fieldset>
  );
}
