import type { ContactMethod } from '@tocsin/contracts';
import { isFinal, type Delivery } from '../domain/delivery.ts';
import { rankOf, turnOf } from '../domain/turn.ts';
import type { Turn } from '../ports/delivery-store.ts';

/** Whose turn it is, in memory. */
export class MemoryTurns {
  /** When each delivery that is not final falls due. */
  readonly waiting = new Map<string, Date>();
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
      if (!this.#held.has(id) && !except.includes(delivery.method))
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
    const due = new Set(this.#due(now).map(turnOf));
    return new Set(ids.filter((id) => !due.has(id) && !this.#held.has(id)));
  }

  /** Whether anything waits that is due. */
  isDue(now: Date): boolean {
    return this.#due(now).length > 0;
  }

  /** As if the lease of whoever holds turns had passed. */
  expire(): void {
    this.#held.clear();
  }

  isHeld({ id, token }: Turn): boolean {
    return this.#held.get(id) === token;
  }

  first({ id }: Turn, now: Date): Delivery | undefined {
    const [first] = this.#due(now)
      .filter((delivery) => turnOf(delivery) === id)
      .toSorted((a, b) => rankOf(a) - rankOf(b) || this.#at(a) - this.#at(b));
    return first;
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

  #due(now: Date): readonly Delivery[] {
    return [...this.#deliveries.values()].filter((each) => !isFinal(each) && this.#at(each) <= now.getTime());
  }

  #at({ deliveryId }: Delivery): number {
    return this.waiting.get(deliveryId)?.getTime() ?? Infinity;
  }
}
