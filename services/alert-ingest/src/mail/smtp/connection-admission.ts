import type { Socket } from 'node:net';
import { addressHolder, AddressRanges, Admission, plainAddress } from '@tocsin/http';
import type { MailLimits } from './mail-limits.ts';
import { SmtpRefusal } from './smtp-refusal.ts';

export interface ConnectionAdmissionOptions {
  /** Addresses and ranges that may send mail; empty if all may. */
  readonly allowedRanges: readonly string[];
  readonly limits: Pick<MailLimits, 'connections' | 'connectionsPerSender' | 'connectionMs'>;
}

/**
 * Admits connections from allowed addresses before the SMTP server greets them, up to a limit in all and for each sender, each for
 * a limited time.
 */
export class ConnectionAdmission {
  readonly #allowed: AddressRanges | undefined;
  readonly #open: Admission;
  readonly #connectionMs: number;

  /** @throws RangeError for an entry of `allowedRanges` that is neither an address nor a range. */
  constructor({ allowedRanges, limits }: ConnectionAdmissionOptions) {
    this.#allowed = allowedRanges.length === 0 ? undefined : new AddressRanges(allowedRanges);
    this.#open = new Admission({ inAll: limits.connections, each: limits.connectionsPerSender });
    this.#connectionMs = limits.connectionMs;
  }

  /** Whether the connection may stay. It answers and closes a connection that may not. */
  admit(socket: Socket): boolean {
    const address = plainAddress(socket.remoteAddress);
    const holder = addressHolder(address);
    const refusal = this.#refusal(address, holder);
    if (refusal !== undefined) {
      socket.on('error', () => undefined);
      socket.end(`${refusal.responseCode} ${refusal.message}\r\n`, () => socket.destroy());
      return false;
    }
    const end = setTimeout(() => socket.destroy(), this.#connectionMs).unref();
    socket.once('close', () => {
      clearTimeout(end);
      this.#open.release(holder);
    });
    return true;
  }

  #refusal(address: string, holder: string): SmtpRefusal | undefined {
    if (this.#allowed?.has(address) === false) return new SmtpRefusal(554, 'No mail is taken from your address');
    switch (this.#open.tryAcquire(holder)) {
      case 'granted':
        return undefined;
      case 'over-its-share':
        return new SmtpRefusal(421, 'Too many connections from you');
      case 'full':
        return new SmtpRefusal(421, 'Too many connections, try again');
    }
  }
}
