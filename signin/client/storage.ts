import type { SessionStore } from "../../shared/client/session-keeper.ts";

/** What keeps a session: a Web Storage, or any object with its three methods, which may be asynchronous. */
export interface SigninStorage {
  getItem(key: string): string | null | undefined | Promise<string | null | undefined>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
}

/** One key of a storage. */
export function storeOf(storage: SigninStorage, key: string): SessionStore {
  return {
    load: async () => (await storage.getItem(key)) ?? undefined,
    save: async (refreshToken) => void (await storage.setItem(key, refreshToken)),
    clear: async () => void (await storage.removeItem(key)),
  };
}

/** A storage that ends with its client. */
export function createMemoryStorage(): SigninStorage {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key),
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  };
}
