import type { SMTPServerDataStream } from 'smtp-server';
import { Shares } from '@tocsin/http';
import { MailBytes } from './mail-bytes.ts';
import { LARGEST_MAIL_BYTES, type MailLimits } from './mail-limits.ts';
import { SmtpRefusal } from './smtp-refusal.ts';

/** All senders share the memory for mails; none has a share of their own. */
const ANYBODY = '';

/** Receives mails: all of them together within a bound of memory, and each within a bound of time. */
export class HeldMails {
  readonly #held: Shares;
  readonly #transferMs: number;

  constructor({ heldBytes, transferMs }: Pick<MailLimits, 'heldBytes' | 'transferMs'>) {
    this.#held = new Shares({ inAll: heldBytes, each: heldBytes });
    this.#transferMs = transferMs;
  }

  /**
   * The whole mail. Its bytes count as held until `letGo` is told of them. A mail that is too large is read to its end without
   * being kept, so that it can be answered.
   *
   * @throws SmtpRefusal for a mail that is too large or too slow, has no room, or breaks off; nothing of it is held then.
   */
  async receive(stream: SMTPServerDataStream): Promise<Buffer> {
    const slow = setTimeout(() => {
      stream.destroy(new SmtpRefusal(421, 'The mail takes too long'));
    }, this.#transferMs);
    let kept = new MailBytes();
    let refusal: SmtpRefusal | undefined;
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        refusal ??= this.#refusalOfMore(stream, chunk);
        if (refusal === undefined) kept.add(chunk);
        else kept = this.#forget(kept);
      }
      if (refusal !== undefined) throw refusal;
      return kept.whole();
    } catch (error) {
      this.#forget(kept);
      if (error instanceof SmtpRefusal) throw error;
      throw new SmtpRefusal(421, 'The connection ended within the mail', { cause: error });
    } finally {
      clearTimeout(slow);
    }
  }

  /** So many bytes that were received are no longer held. */
  letGo(bytes: number): void {
    this.#held.giveBack(ANYBODY, bytes);
  }

  /** Gives back what was kept, and begins anew. */
  #forget({ size }: MailBytes): MailBytes {
    this.letGo(size);
    return new MailBytes();
  }

  #refusalOfMore({ sizeExceeded }: SMTPServerDataStream, { byteLength }: Buffer): SmtpRefusal | undefined {
    if (sizeExceeded) return new SmtpRefusal(552, `A mail can have at most ${LARGEST_MAIL_BYTES} bytes`);
    return this.#held.take(ANYBODY, byteLength) === 'taken'
      ? undefined
      : new SmtpRefusal(452, 'Too much mail at once, try again');
  }
}
