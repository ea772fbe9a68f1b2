import type { Session } from '@tocsin/persistence';
import { begunMessages, takenOf } from '../application/taken-deliveries.ts';
import type { BundleLimits } from '../domain/next-message.ts';
import { isFinal } from '../domain/delivery.ts';
import { nextTurnAt } from '../domain/turn.ts';
import type { TakenDelivery, Turn } from '../ports/delivery-store.ts';
import type { DecidedTurn } from './mongo-next-messages.ts';
import type { MongoTurns } from './mongo-turns.ts';
import type { MongoWaiting } from './mongo-waiting.ts';

export interface MongoTurnEndsParts {
  readonly turns: Pick<MongoTurns, 'remember' | 'end'>;
  readonly waiting: Pick<MongoWaiting, 'nextOf'>;
  readonly bundles: BundleLimits;
}

interface WriteContext {
  readonly now: Date;
  readonly session: Session;
}

/** Whether turns go on or end, by what was decided about their next message. */
export class MongoTurnEnds {
  readonly #parts: MongoTurnEndsParts;

  constructor(parts: MongoTurnEndsParts) {
    this.#parts = parts;
  }

  /** Remembers what was begun; a turn of which nothing is sent ends. Answers what was decided. */
  async goOnOrEnd(decided: readonly DecidedTurn[], { now, session }: WriteContext): Promise<readonly TakenDelivery[]> {
    const { bundles, turns } = this.#parts;
    const taken = decided.flatMap(({ changes, turn }) => takenOf(turn, changes));
    const begun = taken.filter(({ delivery }) => !isFinal(delivery));
    const going = new Set(begun.map(({ turn }) => turn));
    await turns.remember([...going], begunMessages(begun, bundles, now), session);
    const ended = decided.filter(({ turn }) => !going.has(turn));
    await this.#end(ended, { now, session });
    return taken;
  }

  /** Whoever has more to hear waits behind all who wait now. A held turn waits until its pages are let go. */
  async #end(ended: readonly DecidedTurn[], { now, session }: WriteContext): Promise<void> {
    const { turns, waiting } = this.#parts;
    const [held, others] = [ended.filter(isHeld), ended.filter((each) => !isHeld(each))];
    const next = await waiting.nextOf(turnsOf(others), session);
    // Held pages are due already. The turn is looked at earlier where something else falls due meanwhile.
    const meanwhile = await waiting.nextOf(turnsOf(held), session, now);
    await turns.end(
      ended.map(({ heldUntil, turn }) => {
        const dueAt = (heldUntil === undefined ? next : meanwhile).get(turn.id);
        return { turn, heldUntil, nextAt: nextTurnAt(dueAt, heldUntil, now) };
      }),
      session,
    );
  }
}

const isHeld = ({ heldUntil }: DecidedTurn): boolean => heldUntil !== undefined;

const turnsOf = (ended: readonly DecidedTurn[]): readonly Turn[] => ended.map(({ turn }) => turn);
