/** Requests to model providers and local model servers. */

import { KIB, MIB } from "../../shared/units.ts";

/** Retries of a request that a provider could not take, and the wait before one. */
export const MODEL_RETRIES_MAX = 2;
export const MODEL_RETRY_WAIT_MS = 500;
export const MODEL_RETRY_WAIT_MS_MAX = 20_000;
/** How long each local model server may take to list its models. */
export const DISCOVERY_MS_MAX = 1_000;
export const DISCOVERY_ANSWER_BYTES_MAX = 256 * KIB;
/** Models of one server; what comes after them is left out. */
export const DISCOVERED_MODELS_MAX = 500;
/** A longer name of a discovered model is left out. */
export const MODEL_NAME_CHARACTERS_MAX = 256;
/** How long a provider may take to list the models of a key. */
export const OFFERED_MS_MAX = 10_000;
/** The context window of a model of which nothing is known. */
export const WINDOW_TOKENS_DEFAULT = 32_768;
/** The window that is asked of Ollama where nothing states one: its memory grows with it. */
export const OLLAMA_WINDOW_TOKENS = 16_384;
/** How long a server may take to say the window of a model, and what is read of its answer. */
export const WINDOW_MS_MAX = 1_000;
export const WINDOW_ANSWER_BYTES_MAX = 2 * MIB;
/** Configurations of which is remembered what their servers showed. */
export const SERVER_MODELS_MAX = 1_000;
/** Headers of one model configuration. */
export const MODEL_HEADERS_MAX = 32;
export const MODEL_HEADER_NAME_CHARACTERS_MAX = 128;
export const MODEL_HEADER_CHARACTERS_MAX = 4_096;
/** A test of a model: its time, and what is read of the answer. */
export const MODEL_TEST_MS_MAX = 20_000;
export const MODEL_TEST_CHARACTERS_MAX = 1_000;
/** A provider that sends nothing for this long hangs. */
export const MODEL_IDLE_MS = 240_000;
/** The largest response to one step, and the largest error, that are read. */
export const MODEL_ANSWER_BYTES_MAX = 64 * MIB;
export const MODEL_ERROR_BYTES_MAX = 64 * KIB;
/** One event of a streamed answer. A frame of Bedrock is copied whole with each piece of it that arrives. */
export const MODEL_LINE_BYTES_MAX = 8 * MIB;
export const MODEL_FRAME_BYTES_MAX = MIB;
/** The part of a provider's error text that is matched. */
export const MODEL_ERROR_TEXT_CHARACTERS_MAX = 8 * KIB;
export const MODEL_TEXT_CHARACTERS_MAX = 4 * MIB;
export const MODEL_CALLS_MAX = 100;
/** Arguments of a call that are nested deeper are none. */
export const JSON_DEPTH_MAX = 100;
/** The part of a response that is handled before the event loop continues: a flood of small events takes about 10 ms. */
export const MODEL_SLICE_BYTES = 16 * KIB;
/** The part of a provider's error text that is shown. */
export const MODEL_FAILURE_CHARACTERS_MAX = 240;
