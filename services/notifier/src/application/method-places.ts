import type { ContactMethod } from '@tocsin/contracts';
import { methodOfTurn } from '../domain/turn.ts';
import { placesFor } from '../domain/window.ts';
import type { Channel } from '../ports/channel.ts';
import type { Conclusion, Turn } from '../ports/delivery-store.ts';

/** How many messages of each method may begin: by the window that all methods share, and by the rates of providers. */
export class MethodPlaces {
  readonly #channels: ReadonlyMap<ContactMethod, Pick<Channel, 'places'>>;
  readonly #window: number;

  constructor(channels: ReadonlyMap<ContactMethod, Pick<Channel, 'places'>>, window: number) {
    this.#channels = channels;
    this.#window = window;
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

  /** Of claimed turns those for which there is a place for their method. */
  fitting(claimed: readonly Turn[], underWay: readonly Turn[]): readonly Turn[] {
    const byMethod = Map.groupBy(claimed, ({ id }) => methodOfTurn(id));
    return [...byMethod].flatMap(([method, of]) =>
      this.#channels.has(method) ? of.slice(0, this.free(method, underWay)) : of,
    );
  }

  /** Whether messages wait for places that others have in the window; what waits for a rate keeps nobody else from going on. */
  isCrowded(underWay: readonly Turn[]): boolean {
    return this.full(underWay).some((method) => this.#ofProvider(method) > 0);
  }

  /** Whether the rate of its provider lets the turn of one of these results go on. If not, its next message waits unbegun. */
  letsGoOn({ delivery: { method } }: Conclusion, conclusions: readonly Conclusion[]): boolean {
    return conclusions.filter(({ delivery }) => delivery.method === method).length <= this.#ofProvider(method);
  }

  #ofProvider(method: ContactMethod): number {
    return this.#channels.get(method)?.places?.() ?? Infinity;
  }
}
