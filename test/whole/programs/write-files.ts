import { createText, replaceText } from "../../../engine/files/text.ts";

// A process that writes files until it is stopped; for tests that stop it hard.

const [root = "", mode = ""] = process.argv.slice(2);

async function report(write: Promise<unknown>): Promise<void> {
  const outcome = await write.then(
    () => "written",
    (error) => `failed ${error.code}`,
  );
  process.stdout.write(`${outcome}\n`);
}

if (mode === "once") {
  await report(replaceText({ path: root }, "old.txt", "n".repeat(1_000_000)));
  await report(createText({ path: root }, "new.txt", "n".repeat(1_000_000)));
} else {
  for (let round = 0; ; round += 1) {
    const content = `${round % 10}`.repeat(1_000_000);
    await report(replaceText({ path: root }, "old.txt", content));
    await report(createText({ path: root }, `new-${round}.txt`, content));
  }
}
