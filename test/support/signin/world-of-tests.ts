import { after, before } from "node:test";
import type { SigninRuntime } from "./runtimes.ts";
import { SigninWorld } from "./world.ts";

/** Opens a world for all tests of a suite; it closes with them. */
export function worldOfTests(runtime: SigninRuntime): () => SigninWorld {
  let opened: SigninWorld | undefined;
  before(async () => {
    opened = await SigninWorld.open(runtime);
  });
  after(() => opened?.[Symbol.asyncDispose]());
  return () => {
    if (!opened) throw new Error("The server did not start.");
    return opened;
  };
}
