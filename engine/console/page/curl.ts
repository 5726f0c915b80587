/** A request, before it has a token. */
interface CurlRequest {
  method: string;
  /** The whole address. */
  url: string;
  /** JSON; undefined where there is no body. */
  body?: string | undefined;
}

/** The command that sends a request from a shell of POSIX. The token stays a variable: a copied text never has it. */
export function curlOf({ method, url, body }: CurlRequest): string {
  const parts = ["curl -g"];
  if (method !== "GET") parts.push(`-X ${shellQuote(method)}`);
  parts.push('-H "Authorization: Bearer $TOKEN"');
  if (body !== undefined) {
    parts.push("-H 'Content-Type: application/json'", `--data-raw ${shellQuote(body)}`);
  }
  return [...parts, shellQuote(url)].join(" ");
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
