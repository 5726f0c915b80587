// `node tools/common-passwords.ts list.txt`: makes the bundled list of common passwords from a text file with one
// password a line, most common first. Only those that pass the length rule are kept, as the first four bytes of their
// SHA-256: a quarter of the size in the Worker, and no rude words in the repository. One in 2.5 million others is hit by chance.
// The list in the tree was made from the passwords of `@zxcvbn-ts/language-common` 4.1.3 (MIT), its 25 most common words with the
// endings below, and what is named here.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { PASSWORD_CHARACTERS_MIN } from "../signin/limits.ts";

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
const NAMED = `
correcthorsebatterystaple changeme123 changemenow letmein123 letmeinnow welcome123 welcome1234 admin12345
administrator1 passw0rd123 p@ssw0rd123 p@ssword123 iloveyou123 qwertyuiop123 1234567890 0123456789
0987654321 9876543210 1111111111 0000000000 abcdefghij abcdefghijk password!! password1!
secret1234 trustno1trustno1 qwertyqwerty testtest123 test123456 test1234567 asdfghjkl1 asdfghjkl123
zxcvbnm1234
`.split(/\s+/);
const LINE_CHARACTERS = 96;

const [, , path = ""] = process.argv;
const listed = readFileSync(path, "utf8").split("\n").filter(Boolean);
const words = listed.filter((word) => /^[a-z]{6,}$/.test(word)).slice(0, WORDS_WITH_ENDINGS);
const derived = words.flatMap((word) => [`${word}${word}`, ...ENDINGS.map((end) => word + end)]);
const long = [...listed, ...NAMED, ...derived].filter(
  (entry) => entry.length >= PASSWORD_CHARACTERS_MIN,
);
const hashes = new Set(
  long.map((entry) =>
    createHash("sha256").update(entry.toLowerCase()).digest().toString("hex", 0, 4),
  ),
);
const text = Buffer.from([...hashes].sort().join(""), "hex").toString("base64url");
const lines = text.match(new RegExp(`.{1,${LINE_CHARACTERS}}`, "g")) ?? [];
writeFileSync(
  new URL("../signin/passwords/common-passwords.generated.ts", import.meta.url),
  `// Written by tools/common-passwords.ts.\n\n/** The first four bytes of the SHA-256 of each, in order. */\nexport const COMMON_PASSWORD_HASHES = \`\n${lines.join("\n")}\`;\n`,
);
