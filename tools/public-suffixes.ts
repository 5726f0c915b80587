// `npm run suffixes:generate`: makes the public suffix list of the Worker from that of the package tldts. tldts itself adds 47 KB gzip;
// this has each name as 28 bits of a hash, and adds 29 KB. One in 13,000 other names is hit by chance.
import { writeFile } from "node:fs/promises";
import { hashName } from "../signin/config/name-hash.ts";

/** The package exports no list: these are the arrays that its search reads. */
interface Trie {
  rulesRoot: number;
  exceptionsRoot: number;
  /** Of each node. */
  edgeStart: ArrayLike<number>;
  nodeFlags: ArrayLike<number>;
  /** Of each edge; its label stands in `labelText` behind those of the edges before. */
  edgeLength: Iterable<number> & ArrayLike<number>;
  edgeChild: ArrayLike<number>;
  labelText: string;
}

const TRIE = "../node_modules/tldts/dist/es6/src/data/trie.js";
const trie: Trie = await import(TRIE);
const LINE_CHARACTERS = 96;
const FILE = new URL("../signin/config/public-suffixes.generated.ts", import.meta.url);

/** The rules of the list, those of companies included: names, `*.name`, and the exceptions of the latter. */
export function listSuffixRules(): { names: string[]; exceptions: string[] } {
  return { names: walk(trie.rulesRoot), exceptions: walk(trie.exceptionsRoot) };
}

export function buildSuffixModule(): string {
  const { names, exceptions } = listSuffixRules();
  const plain = names.filter((name) => !name.startsWith("*."));
  const wildcards = names.flatMap((name) => (name.startsWith("*.") ? name.slice(2) : []));
  const hashes = [...new Set(plain.map(hashName))].sort((one, other) => one - other);
  const text = Buffer.from(hashes.flatMap(toSteps)).toString("base64url");
  const lines = text.match(new RegExp(`.{1,${LINE_CHARACTERS}}`, "g")) ?? [];
  return `// Written by \`npm run suffixes:generate\` from the package tldts.

/** The hashes of all plain names in order: each as its distance from the one before, 7 bits a byte, the lowest first. */
export const SUFFIX_HASHES = \`
${lines.join("\n")}\`;

/** Every name right below one of these is a suffix. */
export const WILDCARDS = \`
${wildcards.sort().join("\n")}\`;

/** No suffixes, in spite of the above. */
export const EXCEPTIONS = \`
${exceptions.sort().join("\n")}\`;
`;
}

function toSteps(hash: number, at: number, hashes: readonly number[]): number[] {
  let rest = hash - (hashes[at - 1] ?? 0);
  const bytes: number[] = [];
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return [...bytes, rest];
}

/** The names below a node that end a rule. Hosts of URLs are ASCII, so the names in other scripts are left out. */
function walk(node: number, suffix = ""): string[] {
  const { edgeStart, edgeLength, edgeChild, nodeFlags, labelText } = trie;
  const found: string[] = [];
  for (let edge = edgeStart[node] ?? 0; edge < (edgeStart[node + 1] ?? 0); edge += 1) {
    const start = offsetOf(edge);
    const label = labelText.slice(start, start + (edgeLength[edge] ?? 0));
    const name = suffix === "" ? label : `${label}.${suffix}`;
    const child = edgeChild[edge] ?? 0;
    if (nodeFlags[child] && /^[\x21-\x7e]+$/.test(name)) found.push(name);
    found.push(...walk(child, name));
  }
  return found;
}

let offsets: number[] | undefined;

function offsetOf(edge: number): number {
  if (!offsets) {
    offsets = [];
    let offset = 0;
    for (const length of trie.edgeLength) {
      offsets.push(offset);
      offset += length;
    }
  }
  return offsets[edge] ?? 0;
}

if (import.meta.main) await writeFile(FILE, buildSuffixModule());
