import type { Session } from '@tocsin/persistence';
import { decideTogether } from '../domain/bundle.ts';
import { begunTogether, chooseNext, type BundleLimits } from '../domain/next-message.ts';
import { isFinal, type Delivery } from '../domain/delivery.ts';
import { standingOf } from '../domain/wanted.ts';
import type { Decide, DeliveryChange, Turn } from '../ports/delivery-store.ts';
import type { MongoAlertStandings } from './mongo-alert-standings.ts';
import type { MongoTurnLeases } from './mongo-turn-leases.ts';
import { withWholePage, type MongoWaiting } from './mongo-waiting.ts';

export interface MongoNextMessagesParts {
  readonly leases: Pick<MongoTurnLeases, 'mayStart' | 'release'>;
  readonly waiting: MongoWaiting;
  readonly standings: Pick<MongoAlertStandings, 'ofDeliveries'>;
  readonly bundles: BundleLimits;
}

/** What is decided about the message with which a turn begins or goes on. */
export interface DecidedTurn {
  readonly turn: Turn;
  readonly changes: readonly (DeliveryChange & { readonly before: Delivery })[];
  readonly heldUntil?: Date;
}

interface ReadContext {
  readonly now: Date;
  readonly session: Session;
  /** The ids of deliveries that have their result in the same transaction. */
  readonly concluded?: ReadonlySet<string>;
}

/**
 * Chooses the next message of turns and decides about it, by what a transaction sees. It writes nothing but that turns are
 * given back.
 */
export class MongoNextMessages {
  readonly #parts: MongoNextMessagesParts;

  constructor(parts: MongoNextMessagesParts) {
    this.#parts = parts;
  }

  /** Leaves alone turns that are not held any more, and gives back those that have to wait for another transaction. */
  async decide(turns: readonly Turn[], decide: Decide, context: ReadContext): Promise<readonly DecidedTurn[]> {
    const { standings, waiting } = this.#parts;
    const { session } = context;
    const choices = await this.#choose(turns, context);
    const found = await waiting.ofMessages(
      choices.map(({ chosen }) => chosen),
      session,
    );
    const known = await standings.ofDeliveries([...found.values()], session);
    const decideOne = (before: Delivery) => ({ before, ...decide(before, standingOf(before, known)) });
    const decided = choices.map(({ chosen, ...turn }) => ({
      ...turn,
      changes: decideTogether(
        chosen.flatMap(({ deliveryId }) => found.get(deliveryId) ?? []),
        decideOne,
      ),
    }));
    return this.#wholeWhereAlone(decided, session);
  }

  async #choose(turns: readonly Turn[], { concluded = new Set(), now, session }: ReadContext) {
    const { bundles, waiting } = this.#parts;
    const found = await waiting.dueIn(turns, { now, session, except: concluded });
    const choosable = turns.flatMap((turn) => {
      const inTurn = found.get(turn.id);
      // Nothing is begun that this process would not hand over: it would count as cut.
      if (inTurn?.token !== turn.token || !this.#parts.leases.mayStart(turn)) return [];
      return [{ turn, ...chooseNext(inTurn.due, { ...inTurn, limits: bundles, now }) }];
    });
    const choices = begunTogether(choosable);
    const chosenTurns = new Set(choices.map(({ turn }) => turn));
    const others = turns.filter((turn) => !chosenTurns.has(turn));
    await this.#parts.leases.release(others, session);
    return choices;
  }

  /** Where one page alone is left to send of several, it is a message of its own, and says all that it has. */
  async #wholeWhereAlone(decided: readonly DecidedTurn[], session: Session): Promise<readonly DecidedTurn[]> {
    const isAlone = ({ delivery }: DeliveryChange): boolean => !isFinal(delivery) && delivery.bundle === undefined;
    const left = decided.flatMap(({ changes }) => (changes.length > 1 ? changes.filter(isAlone) : []));
    const whole = await this.#parts.waiting.whole(
      left.map(({ delivery }) => delivery),
      session,
    );
    const changed = <C extends DeliveryChange>(change: C): C => ({
      ...change,
      delivery: withWholePage(change.delivery, whole.get(change.delivery.deliveryId)),
    });
    return whole.size === 0 ? decided : decided.map((each) => ({ ...each, changes: each.changes.map(changed) }));
  }
}
