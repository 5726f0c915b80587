import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Each test file is a process that loads most of a program. With the cache it neither strips types nor compiles again.
enableCompileCache(fileURLToPath(new URL("../.build/compile-cache", import.meta.url)));
