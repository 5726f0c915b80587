// Runs before any TypeScript is loaded. Plain JavaScript, so that an old Node can parse it.

const NODE_MAJOR_MIN = 24;
const PARENT_CHECK_INTERVAL_MS = 200;

/** The reason why a version of Node cannot run the programs, as one sentence; undefined if it can. */
export function refuseNode(version, command) {
  if (Number.parseInt(version, 10) >= NODE_MAJOR_MIN) return undefined;
  return `Roundhouse needs Node ${NODE_MAJOR_MIN} or newer, and this is ${version}; \`${command}\` brings its own after \`npm ci\`.`;
}

/** Ends the process with an error message where its Node is too old. */
export function requireNode(command) {
  const refusal = refuseNode(process.versions.node, command);
  if (refusal === undefined) return;
  process.stderr.write(`${refusal}\n`);
  process.exit(1);
}

/** Sends SIGTERM to this process when its parent ends. npm signals the shell between them, which does not pass it on. */
export function stopWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, PARENT_CHECK_INTERVAL_MS);
  watch.unref();
}
