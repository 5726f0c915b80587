import { createHook } from "node:async_hooks";
import { before, beforeEach, test } from "node:test";
import { pathToFileURL } from "node:url";

// Runs the test files of its arguments in this process. `node --test` would do the same, and follow each promise to the test that
// made it: a twelfth of the processor's time. An error that nothing handles ends the run red, and names the test that began last.
const hook = createHook({});
const prototype: { enable(): unknown } = Object.getPrototypeOf(hook);
const { enable } = prototype;
prototype.enable = function (this: object) {
  for (const flag of Object.getOwnPropertySymbols(this)) {
    if (flag.description === "kNoPromiseHook") Reflect.set(this, flag, true);
  }
  prototype.enable = enable;
  return enable.call(this);
};

// No test runs while files are loaded: that holds this process up for seconds, and idle connections of a test break meanwhile. The
// counts are printed where no file has a test, too.
const loaded = Promise.withResolvers<void>();
before(() => loaded.promise);
let latest = "the load of the files";
beforeEach(({ fullName }: { fullName: string }) => {
  latest = `the start of "${fullName}"`;
});
for (const event of ["unhandledRejection", "uncaughtException"] as const) {
  process.prependListener(event as "uncaughtException", (error: unknown) => {
    console.error(`${event} after ${latest}: ${error instanceof Error ? error.stack : error}`);
  });
}
for (const file of process.argv.slice(2)) {
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    test(file, () => {
      throw error;
    });
  }
}
loaded.resolve();
