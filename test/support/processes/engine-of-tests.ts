import { after, before } from "node:test";
import { type EngineProcess, startEngineProcess } from "./engine-process.ts";

/** An engine that runs while the tests of a suite do. */
interface EngineOfTests {
  readonly engine: EngineProcess;
  /** What leads commands to it. */
  readonly env: Record<string, string>;
}

/** Starts an engine for all tests of a suite; it ends with them. */
export function engineOfTests(): EngineOfTests {
  let engine: EngineProcess;
  before(async () => {
    engine = await startEngineProcess();
  });
  after(() => engine[Symbol.asyncDispose]());
  return {
    get engine() {
      return engine;
    },
    get env() {
      return { ENGINE_DATA_DIR: engine.dataDirectory };
    },
  };
}
