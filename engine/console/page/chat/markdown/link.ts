import { decode } from "../../decode.ts";
import { LINK_CHARACTERS_MAX } from "../limits.ts";

/** An address that may be opened, and the host to show beside it. */
interface SafeLink {
  href: string;
  host: string;
}

const PROTOCOLS = ["http:", "https:", "mailto:"];

/** The address of a link; undefined where it is no address of the web or of mail. */
export function toSafeLink(address: string): SafeLink | undefined {
  if (address.length > LINK_CHARACTERS_MAX || !URL.canParse(address)) return undefined;
  const { protocol, host, href, pathname } = new URL(address);
  if (!PROTOCOLS.includes(protocol)) return undefined;
  return { href, host: protocol === "mailto:" ? decode(pathname) : host };
}
