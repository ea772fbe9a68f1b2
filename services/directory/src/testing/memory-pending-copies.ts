import type { PendingCopies, PendingCopy } from '../ports/pending-copies.ts';

/** What is pending goes on when a test says so. */
export class MemoryPendingCopies implements PendingCopies {
  readonly #kept = new Map<string, PendingCopy>();

  keep(copy: PendingCopy): Promise<void> {
    this.#kept.set(copy.id, copy);
    return Promise.resolve();
  }

  /** Lets everything go on until nothing is left, and answers in how many portions. */
  async finish(resume: (copy: PendingCopy) => Promise<PendingCopy | undefined>): Promise<number> {
    let portions = 0;
    for (const [id, copy] of this.#kept) {
      let left: PendingCopy | undefined = copy;
      for (; left !== undefined; portions += 1) left = await resume(left);
      this.#kept.delete(id);
    }
    return portions;
  }
}
