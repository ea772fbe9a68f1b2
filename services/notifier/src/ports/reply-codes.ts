import type { ReplyCode } from '../domain/reply.ts';

/** What codes stand for that were given to numbers. A number is its digits alone, its country code first. */
export interface ReplyCodes {
  /** Keeps a code, before its message goes out. The same again is once. */
  keep(code: ReplyCode): Promise<void>;
  /** What a code of a number stands for; undefined where the number was given no such code. */
  find(number: string, code: string): Promise<ReplyCode | undefined>;
  /** Whether the number was given any code that is kept still. */
  isKnown(number: string): Promise<boolean>;
}
