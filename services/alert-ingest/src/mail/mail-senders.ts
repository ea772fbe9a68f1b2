import type { Rate } from '@tocsin/http';
import { MailRates } from './mail-rates.ts';

/** One connection of a sender. */
interface Connection {
  readonly id: string;
  readonly remoteAddress: string;
}

/** Keeps one sender from taking all that senders share: the connections, and the time of the readers. */
export class MailSenders {
  readonly #connections: number;
  readonly #dear: MailRates;
  readonly #open = new Map<string, Set<string>>();

  /** So many connections of one IP at a time, and so many of its mails that a reader gave up. */
  constructor(connections: number, dear: Rate) {
    this.#connections = connections;
    this.#dear = new MailRates(dear);
  }

  /** Whether there is room for one more connection of its sender; if so, it counts until it has left. */
  enter({ id, remoteAddress }: Connection): boolean {
    const open = this.#open.get(remoteAddress) ?? new Set<string>();
    if (open.size >= this.#connections) return false;
    this.#open.set(remoteAddress, open.add(id));
    return true;
  }

  leave({ id, remoteAddress }: Connection): void {
    const open = this.#open.get(remoteAddress);
    open?.delete(id);
    if (open?.size === 0) this.#open.delete(remoteAddress);
  }

  /** Whether a mail from there may still be read. */
  mayHaveRead(remoteAddress: string): boolean {
    return this.#dear.hasRoom(remoteAddress);
  }

  /** A reader gave up a mail from there. */
  noteGivenUp(remoteAddress: string): void {
    this.#dear.take(remoteAddress);
  }
}
