import type { ContactMethod } from '@tocsin/contracts';
import type { Conclusion, Turn } from '../ports/delivery-store.ts';
import type { MethodPlaces } from './method-places.ts';
import { TurnsUnderWay } from './turns-under-way.ts';

/** Turns that were claimed, and those of them for which there is a place. */
interface Claimed {
  readonly claimed: readonly Turn[];
  readonly fitting: readonly Turn[];
}

/**
 * The places for messages that this process may hand over at once (0028): who has one, and whether anybody waits for one. A
 * message has its place from before it is begun until its turn ends.
 */
export class SendWindow {
  readonly #size: number;
  readonly #methods: MethodPlaces;
  readonly #underWay = new TurnsUnderWay();
  /** Places for messages that are being begun. */
  #reserved = 0;
  readonly #beginning = new Set<Promise<unknown>>();
  /** Whether, at the last look, more people may have waited than there were places. */
  #othersWait = false;

  constructor(size: number, methods: MethodPlaces) {
    this.#size = size;
    this.#methods = methods;
  }

  /** The turns of the messages that are between their beginning and their result. */
  get underWay(): readonly Turn[] {
    return this.#underWay.turns;
  }

  get othersWait(): boolean {
    return this.#othersWait;
  }

  get isFull(): boolean {
    return this.#underWay.size >= this.#size;
  }

  /** Calls `listener` whenever a message makes room. */
  whenRoom(listener: () => void): void {
    this.#underWay.whenRoom(listener);
  }

  /** Claims as many turns as there are free places, and none of methods that have no place. */
  async claim(claim: (most: number, except: readonly ContactMethod[]) => Promise<readonly Turn[]>): Promise<Claimed> {
    const room = this.#room();
    this.#othersWait = room <= 0;
    if (room <= 0) return { claimed: [], fitting: [] };
    const full = this.#methods.full(this.underWay);
    const claimed = await claim(room, full);
    this.#othersWait = claimed.length === room || this.#methods.isCrowded(this.underWay);
    return { claimed, fitting: this.#methods.fitting(claimed, this.underWay, full) };
  }

  /** Reserves places while `work` runs: as many as are wanted and free. */
  async withPlaces<T>(wanted: number, work: (places: number) => Promise<T>): Promise<T> {
    const places = Math.max(0, Math.min(wanted, this.#room()));
    this.#reserved += places;
    const beginning = work(places);
    this.#beginning.add(beginning);
    try {
      return await beginning;
    } finally {
      this.#beginning.delete(beginning);
      this.#reserved -= places;
      if (places > 0 && this.#othersWait) this.#underWay.makeRoom();
    }
  }

  /** How many messages of a method may be begun as they are inserted. Reserved places count as free. */
  freeForNew(method: ContactMethod): number {
    return this.#methods.freeForNew(method, this.underWay);
  }

  /** Whether the turn of one of these results may go on: nobody else waits for its place (F2). */
  mayGoOn(conclusion: Conclusion, conclusions: readonly Conclusion[]): boolean {
    return !this.#othersWait && this.#methods.hasPlaceForNext(conclusion, conclusions);
  }

  /** Takes a place until the hand-overs of a turn have ended. */
  occupy(turn: Turn, handOvers: Promise<void>): void {
    this.#underWay.add(turn, handOvers);
  }

  /** Resolves when every turn that has begun, or is just beginning, has ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#beginning);
    await this.#underWay.settled();
  }

  #room(): number {
    return this.#size - this.#underWay.size - this.#reserved;
  }
}
