import { nodeRuntime } from "../support/signin/runtimes.ts";
import { signinSuite } from "./signin-suite.ts";

signinSuite(nodeRuntime);
