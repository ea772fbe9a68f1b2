import type { AttachmentStore } from '../ports/attachment-store.ts';

/** Each file counts as at least this many bytes, which also bounds the number of small files. */
export const MIN_FILE_BYTES = 65_536;

/** How long this process caches the sums of the stored files, in milliseconds. It counts files of other replicas after that. */
const CACHE_MS = 30_000;

export interface MailFileBudgetOptions {
  readonly store: Pick<AttachmentStore, 'mailBytes'>;
  readonly inAll: number;
  readonly perIntegration: number;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs?: () => number;
}

/**
 * Bounds the stored bytes of files from mails, for each integration and in all: mails come from strangers, who must not fill the
 * disk of the database (P13).
 */
export class MailFileBudget {
  readonly #options: MailFileBudgetOptions;
  readonly #nowMs: () => number;
  #known: { readonly at: number; readonly bytes: Promise<Map<string, number>> } | undefined;

  constructor(options: MailFileBudgetOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  /** Reserves space for a file of `length` bytes of a mail to the integration. Returns false when there is none. */
  async take(integrationId: string, length: number): Promise<boolean> {
    const kept = await this.#kept();
    const bytes = Math.max(length, MIN_FILE_BYTES);
    const ofIntegration = (kept.get(integrationId) ?? 0) + bytes;
    const inAll = [...kept.values()].reduce((sum, each) => sum + each, bytes);
    if (ofIntegration > this.#options.perIntegration || inAll > this.#options.inAll) return false;
    kept.set(integrationId, ofIntegration);
    return true;
  }

  #kept(): Promise<Map<string, number>> {
    const now = this.#nowMs();
    if (this.#known === undefined || now - this.#known.at > CACHE_MS) {
      const bytes = this.#options.store.mailBytes(MIN_FILE_BYTES).then((read) => new Map(read));
      const known = { at: now, bytes };
      this.#known = known;
      bytes.catch(() => {
        if (this.#known === known) this.#known = undefined;
      });
    }
    return this.#known.bytes;
  }
}
