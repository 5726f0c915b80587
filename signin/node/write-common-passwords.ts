// `node signin/node/write-common-passwords.ts list.txt`: makes the bundled list of common passwords from a text file with one
// password a line, most common first. Only those that the length rule lets through are kept, as the first four bytes of their
// SHA-256: a quarter of the size in the Worker, and no rude words in the repository. One in 2.5 million others is hit by chance.
// The list in the tree was made from the passwords of `@zxcvbn-ts/language-common` 4.1.3 (MIT), and of the 25 most common words
// of that list with the endings below.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { PASSWORD_CHARACTERS_MIN } from "../limits.ts";

const WORDS_WITH_ENDINGS = 25;
const ENDINGS = [
  "1",
  "12",
  "123",
  "1234",
  "12345",
  "123456",
  "123!",
  "1234!",
  "2024",
  "2025",
  "2026",
];
const LINE_CHARACTERS = 96;

const [, , path = ""] = process.argv;
const listed = readFileSync(path, "utf8").split("\n").filter(Boolean);
const words = listed.filter((word) => /^[a-z]{6,}$/.test(word)).slice(0, WORDS_WITH_ENDINGS);
const derived = words.flatMap((word) => [`${word}${word}`, ...ENDINGS.map((end) => word + end)]);
const long = [...listed, ...derived].filter((entry) => entry.length >= PASSWORD_CHARACTERS_MIN);
const hashes = new Set(
  long.map((entry) =>
    createHash("sha256").update(entry.toLowerCase()).digest().toString("hex", 0, 4),
  ),
);
const text = Buffer.from([...hashes].sort().join(""), "hex").toString("base64url");
const lines = text.match(new RegExp(`.{1,${LINE_CHARACTERS}}`, "g")) ?? [];
writeFileSync(
  new URL("../passwords/common-passwords.generated.ts", import.meta.url),
  `// Written by signin/node/write-common-passwords.ts.\n\n/** The first four bytes of the SHA-256 of each, in order. */\nexport const COMMON_PASSWORD_HASHES = \`\n${lines.join("\n")}\`;\n`,
);
