import { createWorkersRim } from "../support/signin-rims.ts";
import { signinSuite } from "./signin-suite.ts";

signinSuite(createWorkersRim());
