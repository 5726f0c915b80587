import type { Tokens } from "marked";
import { decode } from "../../decode.ts";
import { LINK_CHARACTERS_MAX } from "../limits.ts";
import { decodeEntities } from "./entities.ts";

const PROTOCOLS = ["http:", "https:", "mailto:"];

/**
 * Where a link or an image leads, and the host to show beside it unless the text is the address itself; undefined if that is no
 * address of the web or of mail.
 */
export function toSafeLink(token: Tokens.Link | Tokens.Image) {
  const isImage = token.type === "image";
  const address = !isImage && token.autolink ? token.href : decodeEntities(token.href);
  if (address.length > LINK_CHARACTERS_MAX || !URL.canParse(address)) return undefined;
  const { protocol, host, href, pathname } = new URL(address);
  if (!PROTOCOLS.includes(protocol)) return undefined;
  const shown = protocol === "mailto:" ? decode(pathname) : host;
  const isNamed = !isImage && [address, href, shown].includes(token.text);
  return { href, host: isNamed ? undefined : shown };
}
