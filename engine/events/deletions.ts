/** A deleted thread, or a deleted workspace with all of its threads. */
export type Deleted = { threadUuid: string } | { workspaceUuid: string };

/** Announces deletes within the process; unlike events they are not sent to clients. */
export class Deletions {
  readonly #listeners = new Set<(deleted: Deleted) => void>();

  /** Call it after the commit. */
  announce(deleted: Deleted): void {
    for (const listener of this.#listeners) listener(deleted);
  }

  /** Listeners neither throw nor wait. Returns a function that ends the subscription. */
  subscribe(listener: (deleted: Deleted) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Whether what belongs to this thread and workspace was deleted. */
export function isWithin(
  deleted: Deleted,
  place: { threadUuid?: string | undefined; workspaceUuid?: string | undefined },
): boolean {
  return "threadUuid" in deleted
    ? deleted.threadUuid === place.threadUuid
    : deleted.workspaceUuid === place.workspaceUuid;
}
