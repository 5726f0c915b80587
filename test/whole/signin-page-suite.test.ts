import { describe } from "node:test";
import { sharedHarness } from "../support/signin/harness.ts";
import { inProcessRuntime, nodeRuntime } from "../support/signin/runtimes.ts";
import { factorPageTests } from "./signin/factor-page.ts";
import { pageTests } from "./signin/page.ts";
import { pageAccountTests } from "./signin/page-account.ts";
import { passkeyPageTests } from "./signin/passkey-page.ts";

// On Node alone: on Workers the same bundle of the page calls the same routes, which the other suites ask there.
describe("the page of the sign-in server on node", () => {
  const harness = sharedHarness(nodeRuntime);
  pageTests(harness);
  pageAccountTests(harness);
  passkeyPageTests(inProcessRuntime);
  factorPageTests(inProcessRuntime);
});
