import { digitsOf } from '../domain/answerable.ts';
import type { ReplyCode } from '../domain/reply.ts';
import type { ReplyCodes } from '../ports/reply-codes.ts';

/** Keeps codes in memory, for component tests. */
export class MemoryReplyCodes implements ReplyCodes {
  readonly #codes = new Map<string, ReplyCode>();

  keep(code: ReplyCode): Promise<void> {
    this.#codes.set(`${digitsOf(code.to)}:${code.code}`, code);
    return Promise.resolve();
  }

  find(number: string, code: string): Promise<ReplyCode | undefined> {
    return Promise.resolve(this.#codes.get(`${number}:${code}`));
  }

  isKnown(number: string): Promise<boolean> {
    return Promise.resolve([...this.#codes.keys()].some((key) => key.startsWith(`${number}:`)));
  }
}
