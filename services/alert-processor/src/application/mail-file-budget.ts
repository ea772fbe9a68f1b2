import type { AttachmentStore } from '../ports/attachment-store.ts';

/** What a file takes at least, so that many small ones are bounded as few large ones are. */
export const LEAST_FILE_BYTES = 65_536;

/** How long it is remembered how much is kept, in milliseconds. What replicas keep meanwhile, others count after that. */
const REMEMBERED_MS = 30_000;

export interface MailFileBudgetOptions {
  readonly store: Pick<AttachmentStore, 'mailBytes'>;
  readonly inAll: number;
  readonly perIntegration: number;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs?: () => number;
}

/**
 * Bounds the bytes of the files of mails that are kept: of those to one integration, and of all. Mails come from strangers, who
 * must not fill the disk of the database (P13).
 */
export class MailFileBudget {
  readonly #options: MailFileBudgetOptions;
  readonly #nowMs: () => number;
  #known: { readonly at: number; readonly bytes: Promise<Map<string, number>> } | undefined;

  constructor(options: MailFileBudgetOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  /** Whether a file of `length` bytes of a mail to the integration may be kept. If so, it counts. */
  async take(integrationId: string, length: number): Promise<boolean> {
    const kept = await this.#kept();
    const bytes = Math.max(length, LEAST_FILE_BYTES);
    const ofIntegration = (kept.get(integrationId) ?? 0) + bytes;
    const inAll = [...kept.values()].reduce((sum, each) => sum + each, bytes);
    if (ofIntegration > this.#options.perIntegration || inAll > this.#options.inAll) return false;
    kept.set(integrationId, ofIntegration);
    return true;
  }

  #kept(): Promise<Map<string, number>> {
    const now = this.#nowMs();
    if (this.#known === undefined || now - this.#known.at > REMEMBERED_MS) {
      const bytes = this.#options.store.mailBytes(LEAST_FILE_BYTES).then((read) => new Map(read));
      const known = { at: now, bytes };
      this.#known = known;
      bytes.catch(() => {
        if (this.#known === known) this.#known = undefined;
      });
    }
    return this.#known.bytes;
  }
}
