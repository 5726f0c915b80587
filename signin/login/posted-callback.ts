import { readBytes } from "../../shared/http/json-body.ts";
import type { SigninConfig } from "../config/config.ts";
import { failure, SigninError } from "../errors.ts";
import { BODY_BYTES_MAX } from "../limits.ts";
import { toUserParameter } from "../providers/apple.ts";
import type { LoginProvider } from "../providers/provider.ts";

/**
 * The address of the same callback by GET. Browsers send no `SameSite=Lax` cookie with the form of another site, and send it with
 * the redirect that follows. Of `user` the name goes along: no address stands in a URL.
 * @throws SigninError `unsupported_media_type`, `payload_too_large`
 */
export async function toGetCallback(
  { baseUrl }: Pick<SigninConfig, "baseUrl">,
  { slug }: LoginProvider,
  request: Request,
): Promise<string> {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";", 1);
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded") {
    throw new SigninError("unsupported_media_type", { message: "The body must be a form." });
  }
  const bytes = await readBytes(request, BODY_BYTES_MAX);
  if (!bytes) throw failure("payload_too_large");
  const form = new URLSearchParams(new TextDecoder().decode(bytes));
  const url = new URL(`${baseUrl}/auth/${slug}/callback`);
  for (const name of ["state", "code", "error"]) {
    for (const value of form.getAll(name)) url.searchParams.append(name, value);
  }
  const user = toUserParameter(form.get("user"));
  if (user !== undefined) url.searchParams.set("user", user);
  return url.href;
}
