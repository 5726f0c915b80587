import assert from "node:assert/strict";
import { it } from "node:test";
import { MODEL_ERROR_TEXT_CHARACTERS_MAX } from "../../../../engine/models/limits.ts";
import { readProviderError } from "../../../../engine/models/providers/provider-error.ts";

it("the texts of a provider's error are cut, in whichever field they come", () => {
  const long = "input token count ".repeat(100_000);
  const body = JSON.stringify({ error: { message: long.slice(0, 60_000) } });
  for (const error of [long, { message: long }, { code: long }, { responseBody: body }]) {
    const { text, said } = readProviderError(error);
    assert.equal(text.length, MODEL_ERROR_TEXT_CHARACTERS_MAX);
    assert.ok((said ?? "").length <= MODEL_ERROR_TEXT_CHARACTERS_MAX);
  }
});
