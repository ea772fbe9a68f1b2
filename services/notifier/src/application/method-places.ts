import type { ContactMethod } from '@tocsin/contracts';
import { methodOfTurn } from '../domain/turn.ts';
import { placesFor } from '../domain/window.ts';
import type { Channel } from '../ports/channel.ts';
import type { Conclusion, Turn } from '../ports/delivery-store.ts';

/** How many messages of each method may begin: by the window that all methods share, and by the rates of providers. */
export class MethodPlaces {
  /**
   * Methods whose messages had to wait for a provider's rate at the last look. Messages that come later are begun after them
   * (F2).
   */
  #leftWaiting: ReadonlySet<ContactMethod> = new Set();
  readonly #channels: ReadonlyMap<ContactMethod, Pick<Channel, 'places'>>;
  readonly #window: number;

  constructor(channels: ReadonlyMap<ContactMethod, Pick<Channel, 'places'>>, window: number) {
    this.#channels = channels;
    this.#window = window;
  }

  /** For messages that are begun as they are inserted: none while others of their method wait. `turns` as for {@link free}. */
  freeForNew(method: ContactMethod, turns: readonly Turn[]): number {
    return this.#leftWaiting.has(method) ? 0 : this.free(method, turns);
  }

  /** `turns` are those of the messages that are under way. */
  free(method: ContactMethod, turns: readonly Turn[]): number {
    const underWay = new Map<ContactMethod, number>();
    for (const { id } of turns) underWay.set(methodOfTurn(id), (underWay.get(methodOfTurn(id)) ?? 0) + 1);
    const [methods, window] = [[...this.#channels.keys()], this.#window];
    const places = placesFor(method, { free: window - turns.length, methods, underWay, window });
    return Math.min(places, this.#ofProvider(method));
  }

  /** The methods of which nothing more may begin, though there is room: their messages wait. */
  full(underWay: readonly Turn[]): readonly ContactMethod[] {
    return [...this.#channels.keys()].filter((method) => this.free(method, underWay) === 0);
  }

  /** The claimed turns for which their method has a place. `full` are the methods of which none was claimed. */
  fitting(claimed: readonly Turn[], underWay: readonly Turn[], full: readonly ContactMethod[]): readonly Turn[] {
    const byMethod = Map.groupBy(claimed, ({ id }) => methodOfTurn(id));
    const left = new Set(full.filter((method) => this.#ofProvider(method) === 0));
    const fitting = [...byMethod].flatMap(([method, of]) => {
      const places = this.#channels.has(method) ? this.free(method, underWay) : of.length;
      if (of.length > this.#ofProvider(method)) left.add(method);
      return of.slice(0, places);
    });
    this.#leftWaiting = left;
    return fitting;
  }

  /**
   * Whether a method has no place because the window is taken. One that waits for its provider's rate takes no place of
   * others.
   */
  isCrowded(underWay: readonly Turn[]): boolean {
    return this.full(underWay).some((method) => this.#ofProvider(method) > 0);
  }

  /**
   * Whether the turn of one of these results may go on: nobody else waits for the rate of its method, and the provider takes
   * another message for each of these results. If not, its next message waits unbegun.
   */
  hasPlaceForNext({ delivery: { method } }: Conclusion, conclusions: readonly Conclusion[]): boolean {
    if (this.#leftWaiting.has(method)) return false;
    return conclusions.filter(({ delivery }) => delivery.method === method).length <= this.#ofProvider(method);
  }

  #ofProvider(method: ContactMethod): number {
    return this.#channels.get(method)?.places?.() ?? Infinity;
  }
}
