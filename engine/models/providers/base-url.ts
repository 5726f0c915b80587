import { withoutTrailing } from "../../../shared/without-trailing.ts";
import { ModelFailure } from "../language-model.ts";

/**
 * A stored base URL in the form that provider packages take: without a slash at its end. `emptyPath` is the path where
 * the URL has none.
 * @throws ModelFailure where the URL is not usable
 */
export function parseBaseUrl(text: string, emptyPath = ""): string {
  const url = URL.parse(text.trim());
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new ModelFailure("The base URL of this model is not an HTTP or HTTPS address.");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new ModelFailure("The base URL of this model may not have credentials or a query.");
  }
  const path = withoutTrailing(url.pathname, "/");
  return url.origin + (path === "" ? emptyPath : path);
}
