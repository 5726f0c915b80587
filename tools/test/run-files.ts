import { createHook } from "node:async_hooks";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";

// Runs the test files of its arguments in this process. `node --test` would do the same, and follow each promise to the test that
// made it: a twelfth of the processor's time. A rejection that nothing handles still ends the run red, but names no test.
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

// The counts are printed where no file has a test, too.
before(() => {});
for (const file of process.argv.slice(2)) {
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    test(file, () => {
      throw error;
    });
  }
}
