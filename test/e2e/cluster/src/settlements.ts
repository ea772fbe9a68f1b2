import { setTimeout as pause } from 'node:timers/promises';
import { Caller } from './caller.ts';

/** Requests asked for at a time: no more than the gateway lets one key ask in a second. */
const LANES = 8;
const PAUSE_MS = 1_000;
const THROTTLED_PAUSE_MS = 500;

/** Asks an installation what became of requests that it has accepted. */
export class Settlements {
  readonly #caller: Caller;

  constructor(url: string, key: string) {
    this.#caller = new Caller(url, key, 'kept');
  }

  /** Those of `requestIds` that succeeded: all of them, or as many as did when `timeoutMs` had passed. */
  async succeeded(requestIds: readonly string[], timeoutMs: number): Promise<ReadonlySet<string>> {
    const until = performance.now() + timeoutMs;
    const settled = new Set<string>();
    for (;;) {
      const waiting = requestIds.filter((id) => !settled.has(id));
      const rest = waiting.values();
      await Promise.all(
        Array.from({ length: LANES }, async () => {
          for (const id of rest) if (await this.#hasSucceeded(id)) settled.add(id);
        }),
      );
      if (settled.size === requestIds.length || performance.now() > until) return settled;
      await pause(PAUSE_MS);
    }
  }

  close(): void {
    this.#caller.close();
  }

  async #hasSucceeded(requestId: string): Promise<boolean> {
    for (;;) {
      const { body, status } = await this.#caller.send('GET', `/v2/alerts/requests/${requestId}`);
      if (status !== 429)
        return status === 200 && (body['data'] as { readonly isSuccess?: boolean }).isSuccess === true;
      await pause(THROTTLED_PAUSE_MS);
    }
  }
}
