import { hrefOf } from "../router.ts";
import { engine } from "../session.ts";
import { Icon } from "../ui/icon.tsx";
import { useLoad } from "../ui/use-load.ts";

interface Step {
  title: string;
  about: string;
  path: string;
  action: string;
  isDone: (found: Found) => boolean;
}

/** What the engine has of each step. */
interface Found {
  models: number;
  folders: number;
  turns: number;
}

const STEPS: readonly Step[] = [
  {
    title: "Connect a model",
    about: "One that runs on this machine, or one of a provider with your key.",
    path: "models",
    action: "Open models",
    isDone: ({ models }) => models > 0,
  },
  {
    title: "Choose a folder",
    about: "Its files are indexed here, and leave this machine only to the model that you ask.",
    path: "folders",
    action: "Open folders",
    isDone: ({ folders }) => folders > 0,
  },
  {
    title: "Ask",
    about: "The answer names the files and lines that it read.",
    path: "chat",
    action: "Open the chat",
    isDone: ({ turns }) => turns > 0,
  },
];

const ECHO = "echo";

/** Three steps from an empty engine to a first answer. The ones that are done have a mark. */
export function FirstSteps() {
  const { value } = useLoad("first steps", (signal) => find(signal));
  const next = value && STEPS.find((step) => !step.isDone(value));
  if (value && !next) return null;
  return (
    <section class="card" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <ol class="steps">
        {STEPS.map((step) => (
          <StepItem
            key={step.path}
            step={step}
            isDone={value !== undefined && step.isDone(value)}
            isNext={step === next}
          />
        ))}
      </ol>
    </section>
  );
}

interface StepItemProps {
  step: Step;
  isDone: boolean;
  isNext: boolean;
}

function StepItem({ step: { title, about, path, action }, isDone, isNext }: StepItemProps) {
  return (
    <li class={isDone ? "done" : undefined}>
      <span class="step-mark">{isDone && <Icon name="done" />}</span>
      <div>
        <h3>
          {title}
          {isDone && <span class="visually-hidden"> (done)</span>}
        </h3>
        <p class="muted">{about}</p>
      </div>
      {!isDone && (
        <a class={isNext ? "button primary" : "button"} href={hrefOf(path)}>
          {action}
        </a>
      )}
    </li>
  );
}

async function find(signal: AbortSignal): Promise<Found> {
  const [models, workspaces, turns] = await Promise.all([
    engine.models.list({ signal }),
    engine.workspaces.list({ signal }),
    engine.turns.list({ limit: 1 }, { signal }),
  ]);
  const folders = workspaces.filter(
    ({ directories }) => Array.isArray(directories) && directories.length > 0,
  );
  return {
    models: models.filter(({ id }) => id !== ECHO).length,
    folders: folders.length,
    turns: turns.length,
  };
}
