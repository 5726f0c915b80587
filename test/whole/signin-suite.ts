import { describe } from "node:test";
import type { SigninRuntime } from "../support/signin/runtimes.ts";
import { worldOfTests } from "../support/signin/world-of-tests.ts";
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
    const world = worldOfTests(runtime);
    flowTests(world);
    conformanceTests(world, runtime);
    stateTests(world, runtime);
    oidcAnswerTests(world, runtime);
    githubTests(world);
    accountTests(world);
    nativeTests(world);
    tokenTests(world);
    otherServiceTests(world, runtime);
    httpTests(world, runtime);
    providerTests(world, runtime);
    runtimeTests(world, runtime);
    passwordTests(world);
    ownAccountTests(world);
    passkeyTests(world);
    concurrencyTests(world);
    lostAnswerTests(world, runtime);
    pageTests(world);
    pageAccountTests(world);
    passkeyPageTests(runtime);
    smokeTests(world);
    configurationTests(runtime);
    leakTests(world, runtime);
  });
}
