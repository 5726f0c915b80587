// Loaded before a test file by `--import`: the file core then works as on a platform where a held folder has no address.
// What chooses native code by the platform is loaded before.
import "libsql";

Object.defineProperty(process, "platform", { value: "darwin" });
