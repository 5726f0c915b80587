import { describe } from "node:test";
import { sharedHarness } from "../support/signin/harness.ts";
import type { SigninRuntime } from "../support/signin/runtimes.ts";
import { accountTests } from "./signin/accounts.ts";
import { concurrencyTests } from "./signin/concurrency.ts";
import { configurationTests } from "./signin/configuration.ts";
import { conformanceTests } from "./signin/conformance.ts";
import { flowTests } from "./signin/flows.ts";
import { githubTests } from "./signin/github.ts";
import { httpTests } from "./signin/http.ts";
import { leakTests } from "./signin/leaks.ts";
import { lostAnswerTests } from "./signin/lost-answers.ts";
import { nativeTests } from "./signin/native.ts";
import { oidcAnswerTests } from "./signin/oidc-answers.ts";
import { otherServiceTests } from "./signin/other-services.ts";
import { ownAccountTests } from "./signin/own-account.ts";
import { pageTests } from "./signin/page.ts";
import { pageAccountTests } from "./signin/page-account.ts";
import { passkeyPageTests } from "./signin/passkey-page.ts";
import { passkeyTests } from "./signin/passkeys.ts";
import { passwordTests } from "./signin/passwords.ts";
import { providerTests } from "./signin/providers.ts";
import { runtimeTests } from "./signin/runtime.ts";
import { smokeTests } from "./signin/smoke.ts";
import { stateTests } from "./signin/state.ts";
import { tokenTests } from "./signin/tokens.ts";

/** Everything that the sign-in server promises, seen from outside; the same on each runtime. */
export function signinSuite(runtime: SigninRuntime): void {
  describe(`the sign-in server on ${runtime.name}`, () => {
    const harness = sharedHarness(runtime);
    flowTests(harness);
    conformanceTests(harness, runtime);
    stateTests(harness, runtime);
    oidcAnswerTests(harness, runtime);
    githubTests(harness);
    accountTests(harness);
    nativeTests(harness);
    tokenTests(harness);
    otherServiceTests(harness, runtime);
    httpTests(harness, runtime);
    providerTests(harness, runtime);
    runtimeTests(harness, runtime);
    passwordTests(harness);
    ownAccountTests(harness);
    passkeyTests(harness);
    concurrencyTests(harness);
    lostAnswerTests(harness, runtime);
    pageTests(harness);
    pageAccountTests(harness);
    passkeyPageTests(runtime);
    smokeTests(harness);
    configurationTests(runtime);
    leakTests(harness, runtime);
  });
}
