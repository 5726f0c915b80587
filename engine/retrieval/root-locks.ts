/** One operation for a root at a time, in the order of asking (Engine §2, retrieval rule 6). */
export class RootLocks {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs when all that were asked for before are over, however they ended. */
  async run<Result>(root: string, action: () => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(root) ?? Promise.resolve();
    const turn = before.then(action, action);
    const tail = turn.catch(() => undefined);
    this.#tails.set(root, tail);
    try {
      return await turn;
    } finally {
      if (this.#tails.get(root) === tail) this.#tails.delete(root);
    }
  }
}
