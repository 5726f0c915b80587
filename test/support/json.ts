import assert from "node:assert/strict";

/** The JSON body of an answer that must have this status. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
export async function json(response: Response, status = 200): Promise<any> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  return JSON.parse(text);
}

/** Holds an answer to a status and an empty body. */
export async function empty(response: Response, status = 204): Promise<void> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  assert.equal(text, "");
}
