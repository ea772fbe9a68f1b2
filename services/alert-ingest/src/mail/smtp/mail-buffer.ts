import type { SMTPServerDataStream } from 'smtp-server';
import { Admission } from '@tocsin/http';
import { MailBytes } from '../parser/mail-bytes.ts';
import { MAX_MAIL_BYTES, type MailLimits } from './mail-limits.ts';
import { SmtpRefusal } from './smtp-refusal.ts';

/** Receives mails: those of each sender and all together within bounds of memory, and each within a bound of time. */
export class MailBuffer {
  readonly #admission: Admission;
  readonly #transferMs: number;

  constructor({
    heldBytes,
    heldBytesPerSender,
    transferMs,
  }: Pick<MailLimits, 'heldBytes' | 'heldBytesPerSender' | 'transferMs'>) {
    this.#admission = new Admission({ inAll: heldBytes, each: heldBytesPerSender, least: MAX_MAIL_BYTES });
    this.#transferMs = transferMs;
  }

  /**
   * The whole mail. Its bytes count as held by `holder` until `release` gives them back. A mail that is too large is read to its end without
   * being kept, so that it can be answered.
   *
   * @throws SmtpRefusal for a mail that is too large or too slow, has no room, or breaks off; nothing of it is held then.
   */
  async receive(stream: SMTPServerDataStream, holder: string): Promise<Buffer> {
    const slow = setTimeout(() => {
      stream.destroy(new SmtpRefusal(421, 'The mail takes too long'));
    }, this.#transferMs);
    let kept = new MailBytes();
    let refusal: SmtpRefusal | undefined;
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        refusal ??= this.#refusalOfMore(stream, chunk, holder);
        if (refusal === undefined) kept.add(chunk);
        else kept = this.#forget(kept, holder);
      }
      if (refusal !== undefined) throw refusal;
      return kept.whole();
    } catch (error) {
      this.#forget(kept, holder);
      if (error instanceof SmtpRefusal) throw error;
      throw new SmtpRefusal(421, 'The connection ended within the mail', { cause: error });
    } finally {
      clearTimeout(slow);
    }
  }

  /** So many bytes that `holder` sent are no longer held. */
  release(bytes: number, holder: string): void {
    this.#admission.release(holder, bytes);
  }

  /** Gives back what was kept, and begins anew. */
  #forget({ size }: MailBytes, holder: string): MailBytes {
    this.release(size, holder);
    return new MailBytes();
  }

  #refusalOfMore(
    { sizeExceeded }: SMTPServerDataStream,
    { byteLength }: Buffer,
    holder: string,
  ): SmtpRefusal | undefined {
    if (sizeExceeded) return new SmtpRefusal(552, `A mail can have at most ${MAX_MAIL_BYTES} bytes`);
    const result = this.#admission.tryAcquire(holder, byteLength);
    if (result === 'granted') return undefined;
    const whose = result === 'over-its-share' ? ' from you' : '';
    return new SmtpRefusal(452, `Too much mail${whose} at once, try again`);
  }
}
