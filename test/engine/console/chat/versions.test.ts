import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Fork, Message } from "../../../../engine/client/client.ts";
import {
  NO_RELATIVES,
  replacedBy,
  versionsOf,
} from "../../../../engine/console/page/chat/versions.ts";

const message = (uuid: string) => ({ uuid }) as Message;
const fork = (threadUuid: string, replacedMessageUuid: string | null, day: number): Fork => ({
  threadUuid,
  throughMessageUuid: null,
  replacedMessageUuid,
  replacementMessageUuid: replacedMessageUuid && `${threadUuid}-new`,
  createdAt: `2026-01-0${day}T00:00:00.000Z`,
});

describe("the versions of a message", () => {
  const forks = [fork("third", "q", 3), fork("second", "q", 2), fork("plain", null, 1)];

  it("are one, where nothing replaces it", () => {
    assert.deepEqual(versionsOf(NO_RELATIVES, "first", message("q")), ["first"]);
    assert.deepEqual(versionsOf({ ...NO_RELATIVES, forks }, "first", message("other")), ["first"]);
  });

  it("lie side by side, seen from each of them", () => {
    const all = ["first", "second", "third"];
    assert.deepEqual(versionsOf({ ...NO_RELATIVES, forks }, "first", message("q")), all);
    const origin = {
      threadUuid: "first",
      messageUuid: null,
      replacedMessageUuid: "q",
      replacementMessageUuid: "second-new",
    };
    const seen = { origin, forks: [], forksOfOrigin: forks };
    assert.deepEqual(versionsOf(seen, "second", message("second-new")), all);
    assert.deepEqual(replacedBy(seen, "second", message("second-new")), {
      threadUuid: "first",
      messageUuid: "q",
    });
    assert.deepEqual(replacedBy(seen, "second", message("later")), {
      threadUuid: "second",
      messageUuid: "later",
    });
  });
});
