import { nodeRim } from "../support/signin-rims.ts";
import { signinSuite } from "./signin-suite.ts";

signinSuite(nodeRim);
