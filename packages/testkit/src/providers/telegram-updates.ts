import type { Reading } from './provider-double.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An answer that takes no message. */
const answered = (result: unknown): Reading<never> => ({
  refused: { status: 200, body: JSON.stringify({ ok: true, result }) },
});

const CONFLICT: Reading<never> = {
  refused: {
    status: 409,
    body: JSON.stringify({
      ok: false,
      error_code: 409,
      description: 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
    }),
  },
};

/** What people tell a bot, until a program confirms that it has read it. */
export class TelegramUpdates {
  #next = 100;
  #updates: (Fields & { readonly update_id: number })[] = [];
  /** Ends the call that is held back: with updates, or because another one came. */
  #held: ((isReplaced: boolean) => void) | undefined;

  /** The updates that are not confirmed. */
  get pending(): number {
    return this.#updates.length;
  }

  /** Adds an update, which a program that waits gets at once. */
  add(update: Fields): void {
    this.#updates.push({ update_id: (this.#next += 1), ...update });
    this.#held?.(false);
  }

  /** `getUpdates`: waits for an update, and ends an earlier call that waits. */
  async read({ limit = 100, offset = 0, timeout = 0 }: Fields): Promise<Reading<never>> {
    this.#updates = this.#updates.filter((update) => update.update_id >= Number(offset));
    this.#held?.(true);
    if (this.#updates.length === 0 && (await this.#wait(Number(timeout) * 1_000))) return CONFLICT;
    return answered(this.#updates.slice(0, Number(limit)));
  }

  /** Ends the call that is held back. */
  stop(): void {
    this.#held?.(true);
  }

  #wait(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isReplaced: boolean): void => {
        clearTimeout(timer);
        if (this.#held === end) this.#held = undefined;
        resolve(isReplaced);
      };
      const timer = setTimeout(() => {
        end(false);
      }, ms);
      this.#held = end;
    });
  }
}
