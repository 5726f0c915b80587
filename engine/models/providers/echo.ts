import type { LanguageModel } from "../language-model.ts";

/** The id, provider and model name of the credential-free development model (Engine §4, `GET /models`). */
export const ECHO_MODEL_ID = "echo";

const WORDS_PER_DELTA = 3;
// A few words with the white space around them. White space alone is a delta, too, so the text is complete.
const DELTA = new RegExp(`(?:\\s*\\S+){1,${WORDS_PER_DELTA}}\\s*|\\s+`, "g");

/** Repeats the newest user message in deltas of a few words; an empty one gives no delta. */
export const echoModel: LanguageModel = {
  async *stream({ messages }, signal) {
    const said = messages.findLast(({ role }) => role === "user");
    const text = said?.role === "user" ? said.content : "";
    for (const [words] of text.matchAll(DELTA)) {
      signal.throwIfAborted();
      yield { type: "delta", text: words };
    }
    signal.throwIfAborted();
    yield { type: "end", usage: undefined };
  },
};
