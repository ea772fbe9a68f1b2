import type { ContactMethod } from '@tocsin/contracts';
import { isIdle } from '../application/begun-at-insertion.ts';
import type { RecentMessage } from '../domain/next-message.ts';
import { isFinal, type Delivery } from '../domain/delivery.ts';
import { earlier, methodOfTurn, nextTurnAt, rankOf, turnOf } from '../domain/turn.ts';
import type { Turn } from '../ports/delivery-store.ts';

interface Row {
  readonly nextAt?: Date | undefined;
  readonly isLeased?: boolean;
  /** Of whoever claimed it last. */
  readonly token?: string | undefined;
  readonly heldUntil?: Date | undefined;
  readonly recent?: readonly RecentMessage[];
}

/** Whose turn it is, in memory. */
export class MemoryTurns {
  /** When each delivery that is not final falls due. */
  readonly waiting = new Map<string, Date>();
  readonly #deliveries: ReadonlyMap<string, Delivery>;
  readonly #rows = new Map<string, Row>();
  #claims = 0;

  constructor(deliveries: ReadonlyMap<string, Delivery>) {
    this.#deliveries = deliveries;
  }

  claim(now: Date, most: number, except: readonly ContactMethod[] = []): readonly Turn[] {
    const free = this.#due(now).filter(([id, { isLeased }]) => isLeased !== true && !except.includes(methodOfTurn(id)));
    return free
      .toSorted(([, one], [, other]) => Number(one.nextAt) - Number(other.nextAt))
      .slice(0, most)
      .map(([id]) => this.hold(id));
  }

  /** Those of the turns that are idle, each with the messages that were begun in it. */
  idle(ids: readonly string[], now: Date): ReadonlyMap<string, readonly RecentMessage[]> {
    const rows = ids.map((id) => [id, this.#row(id)] as const);
    const idle = rows.filter(([, { isLeased = false, nextAt }]) => isIdle({ isLeased, nextAt }, now));
    return new Map(idle.map(([id]) => [id, this.recent(id)]));
  }

  /** Whether anything waits that is due. */
  isDue(now: Date): boolean {
    return this.#due(now).length > 0;
  }

  /** As if the lease of whoever holds turns had passed. */
  expire(): void {
    for (const id of this.#rows.keys()) this.#set(id, { isLeased: false });
  }

  isHeld({ id, token }: Turn): boolean {
    return this.#row(id).token === token;
  }

  dueIn({ id }: Turn, now: Date): readonly Delivery[] {
    return this.#of(id)
      .filter((each) => this.#at(each) <= now)
      .toSorted((a, b) => rankOf(a) - rankOf(b) || this.#at(a).getTime() - this.#at(b).getTime());
  }

  wasHeld(id: string): boolean {
    return this.#row(id).heldUntil !== undefined;
  }

  recent(id: string): readonly RecentMessage[] {
    return this.#row(id).recent ?? [];
  }

  enqueue(id: string, at: Date): void {
    this.#set(id, { nextAt: earlier(at, this.#row(id).nextAt) });
  }

  remember(id: string, message: RecentMessage): void {
    this.#set(id, { recent: [...this.recent(id), message], heldUntil: undefined });
  }

  /** Forgets an attempt that came to nothing. */
  forget({ id }: Turn, attempt: string): void {
    this.#set(id, { recent: this.recent(id).filter((each) => each.attempt !== attempt) });
  }

  end(turn: Turn, now: Date, heldUntil: Date | undefined): void {
    if (!this.isHeld(turn)) return;
    const at = this.#of(turn.id)
      .map((each) => this.#at(each))
      .filter((each) => heldUntil === undefined || each > now);
    const first = at.toSorted((one, other) => one.getTime() - other.getTime())[0];
    this.#set(turn.id, { isLeased: false, token: undefined, heldUntil, nextAt: nextTurnAt(first, heldUntil, now) });
  }

  release(turn: Turn): void {
    if (this.isHeld(turn)) this.#set(turn.id, { isLeased: false, token: undefined });
  }

  /** Takes a turn that nobody holds. */
  hold(id: string): Turn {
    this.#claims += 1;
    const turn = { id, token: String(this.#claims) };
    this.#set(id, { isLeased: true, token: turn.token });
    return turn;
  }

  #due(now: Date): readonly (readonly [string, Row])[] {
    return [...this.#rows].filter(([, { nextAt }]) => nextAt !== undefined && nextAt <= now);
  }

  #row(id: string): Row {
    return this.#rows.get(id) ?? {};
  }

  #set(id: string, change: Row): void {
    this.#rows.set(id, { ...this.#row(id), ...change });
  }

  #of(id: string): readonly Delivery[] {
    return [...this.#deliveries.values()].filter((each) => !isFinal(each) && turnOf(each) === id);
  }

  #at({ deliveryId }: Delivery): Date {
    return this.waiting.get(deliveryId) ?? new Date(8.64e15);
  }
}
