import type { ContactMethod } from '@tocsin/contracts';
import type { RecentMessage } from '../domain/bundle.ts';
import { isFinal, type Delivery } from '../domain/delivery.ts';
import { rankOf, turnOf } from '../domain/turn.ts';
import type { Turn } from '../ports/delivery-store.ts';

/** Whose turn it is, in memory. */
export class MemoryTurns {
  /** When each delivery that is not final falls due. */
  readonly waiting = new Map<string, Date>();
  /** The messages that were begun in each turn. */
  readonly recent = new Map<string, readonly RecentMessage[]>();
  /** Until when what is due in a turn is held. */
  readonly #heldUntil = new Map<string, Date>();
  readonly #enqueued = new Set<string>();
  readonly #deliveries: ReadonlyMap<string, Delivery>;
  /** When each person's turn came to its last end, and who has it now. */
  readonly #endedAt = new Map<string, Date>();
  readonly #held = new Map<string, string>();
  #claims = 0;

  constructor(deliveries: ReadonlyMap<string, Delivery>) {
    this.#deliveries = deliveries;
  }

  claim(now: Date, most: number, except: readonly ContactMethod[] = []): readonly Turn[] {
    const since = new Map<string, number>();
    for (const delivery of this.#due(now)) {
      const id = turnOf(delivery);
      if (!this.#held.has(id) && !this.#isHeldAt(id, now) && !except.includes(delivery.method))
        since.set(id, Math.min(this.#at(delivery), since.get(id) ?? Infinity));
    }
    const waiting = [...since].map(([id, at]) => ({ id, at: Math.max(at, this.#endedAt.get(id)?.getTime() ?? 0) }));
    return waiting
      .toSorted((a, b) => a.at - b.at)
      .slice(0, most)
      .map(({ id }) => this.hold(id));
  }

  /** Those of the turns that nobody holds and of which nothing is due. */
  idle(ids: readonly string[], now: Date): ReadonlySet<string> {
    const due = new Set(
      this.#due(now)
        .map(turnOf)
        .filter((id) => !this.#isHeldAt(id, now)),
    );
    return new Set(ids.filter((id) => !due.has(id) && !this.#held.has(id)));
  }

  /** Whether anything waits that is due. */
  isDue(now: Date): boolean {
    return this.#due(now).some((delivery) => !this.#isHeldAt(turnOf(delivery), now));
  }

  /** As if the lease of whoever holds turns had passed. */
  expire(): void {
    this.#held.clear();
  }

  isHeld({ id, token }: Turn): boolean {
    return this.#held.get(id) === token;
  }

  dueIn({ id }: Turn, now: Date): readonly Delivery[] {
    return this.#due(now)
      .filter((delivery) => turnOf(delivery) === id)
      .toSorted((a, b) => rankOf(a) - rankOf(b) || this.#at(a) - this.#at(b));
  }

  setHeldUntil(id: string, until: Date | undefined): void {
    this.#enqueued.delete(id);
    if (until === undefined) this.#heldUntil.delete(id);
    else this.#heldUntil.set(id, until);
  }

  wasHeld(id: string): boolean {
    return this.#heldUntil.has(id);
  }

  /** Who comes to wait is looked at, though others of the turn are held. */
  enqueue(id: string): void {
    this.#enqueued.add(id);
  }

  /** Forgets an attempt that came to nothing. */
  forget({ id }: Turn, attempt: string): void {
    this.recent.set(
      id,
      (this.recent.get(id) ?? []).filter((each) => each.attempt !== attempt),
    );
  }

  end(turn: Turn, now: Date): void {
    if (!this.isHeld(turn)) return;
    this.#held.delete(turn.id);
    this.#endedAt.set(turn.id, now);
  }

  release(turn: Turn): void {
    if (this.isHeld(turn)) this.#held.delete(turn.id);
  }

  /** Takes a turn that nobody holds. */
  hold(id: string): Turn {
    this.#claims += 1;
    const turn = { id, token: String(this.#claims) };
    this.#held.set(id, turn.token);
    return turn;
  }

  #isHeldAt(id: string, now: Date): boolean {
    const until = this.#heldUntil.get(id);
    return until !== undefined && now < until && !this.#enqueued.has(id);
  }

  #due(now: Date): readonly Delivery[] {
    return [...this.#deliveries.values()].filter((each) => !isFinal(each) && this.#at(each) <= now.getTime());
  }

  #at({ deliveryId }: Delivery): number {
    return this.waiting.get(deliveryId)?.getTime() ?? Infinity;
  }
}
