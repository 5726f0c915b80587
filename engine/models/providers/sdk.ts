import type { createOpenAICompatible } from "@ai-sdk/openai-compatible";

// The interface that all provider packages of AI SDK 7 implement (language model specification v4). Derived from one of
// them, as the defining package is no direct dependency. Types only: nothing is loaded.

/** A model of a provider package; `doStream` makes one request and streams one step. */
export type SdkModel = ReturnType<ReturnType<typeof createOpenAICompatible>["chatModel"]>;

export type SdkOptions = Parameters<SdkModel["doStream"]>[0];
export type SdkPrompt = SdkOptions["prompt"];
export type SdkMessage = SdkPrompt[number];
export type SdkUserPart = Extract<SdkMessage, { role: "user" }>["content"][number];
export type SdkAssistantPart = Extract<SdkMessage, { role: "assistant" }>["content"][number];
export type SdkStream = Awaited<ReturnType<SdkModel["doStream"]>>["stream"];
export type SdkPart = SdkStream extends ReadableStream<infer Part> ? Part : never;
export type SdkFinish = Extract<SdkPart, { type: "finish" }>;
