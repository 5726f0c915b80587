import { fromBase64Url } from "../../shared/bytes.ts";
import { hashName } from "./name-hash.ts";
import { EXCEPTIONS, SUFFIX_HASHES, WILDCARDS } from "./public-suffixes.generated.ts";

/** What the public suffix list says of a host name. */
interface ListedDomain {
  /** The name under its public suffix; null for an address, a suffix, and a suffix that is not listed. */
  registrable: string | null;
  isPublicSuffix: boolean;
}

/** Looks a host name up, in lower case. Suffixes of companies count, as for browsers. */
export function readListedDomain(host: string): ListedDomain {
  const labels = host.split(".");
  const nameAt = (at: number) => labels.slice(at).join(".");
  const at = findSuffixAt(labels.map((_, each) => nameAt(each)));
  if (at === undefined) return { registrable: null, isPublicSuffix: false };
  return { registrable: at === 0 ? null : nameAt(at - 1), isPublicSuffix: at === 0 };
}

/** The place of the longest suffix among a name and its parents; undefined where none is listed. */
function findSuffixAt(names: readonly string[]): number | undefined {
  const [wildcards, exceptions] = [WILDCARDS.split("\n"), EXCEPTIONS.split("\n")];
  const isPlain = listed(names);
  for (const [at, name] of names.entries()) {
    if (exceptions.includes(name)) return at + 1;
    const parent = names[at + 1];
    if (isPlain[at] || (parent !== undefined && wildcards.includes(parent))) return at;
  }
  return undefined;
}

/** Which names are in the list. It is read for each call and not kept: an isolate asks a few times. */
function listed(names: readonly string[]): boolean[] {
  const wanted = names.map(hashName);
  const found = wanted.map(() => false);
  let [hash, step, shift] = [0, 0, 0];
  for (const byte of fromBase64Url(SUFFIX_HASHES.replaceAll("\n", "")) ?? []) {
    step |= (byte & 127) << shift;
    shift += 7;
    if (byte > 127) continue;
    hash += step;
    [step, shift] = [0, 0];
    for (const [at, each] of wanted.entries()) if (each === hash) found[at] = true;
  }
  return found;
}
