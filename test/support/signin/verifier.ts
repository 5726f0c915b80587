// For `bench`, which is a package of its own: the verifier as another project imports it.
export { createVerifier } from "roundhouse/signin/verify";
