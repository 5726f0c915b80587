import { signal } from "@preact/signals";

/** A part of the page that is loaded when it is first asked for; undefined until then, and where it cannot be loaded. */
export function lazy<Module>(load: () => Promise<Module>): () => Module | undefined {
  const loaded = signal<Module | undefined>(undefined);
  let isAsked = false;
  return () => {
    if (!isAsked) {
      isAsked = true;
      // A browser in which the engine is gone asks again.
      load().then(
        (module) => {
          loaded.value = module;
        },
        () => {
          isAsked = false;
        },
      );
    }
    return loaded.value;
  };
}
