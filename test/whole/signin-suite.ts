import { after, before, describe } from "node:test";
import type { SigninRim } from "../support/signin-rims.ts";
import { SigninWorld } from "../support/signin-world.ts";
import { conformanceTests } from "./signin/conformance.ts";
import { flowTests } from "./signin/flows.ts";

/** Everything that the sign-in server promises, seen from outside; the same on each rim. */
export function signinSuite(rim: SigninRim): void {
  describe(`the sign-in server on ${rim.name}`, () => {
    let opened: SigninWorld | undefined;
    before(async () => {
      opened = await SigninWorld.open(rim);
    });
    after(() => opened?.[Symbol.asyncDispose]());
    const world = () => {
      if (!opened) throw new Error("The server did not start.");
      return opened;
    };
    flowTests(world);
    conformanceTests(world, rim);
  });
}
