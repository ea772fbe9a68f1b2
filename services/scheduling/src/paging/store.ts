import { AlertCommands, Decisions, Pages } from '@tocsin/events';
import {
  BY_DUE,
  collectionOf,
  type Connection,
  dueIndex,
  type DueWork,
  type DueWorkOptions,
  forTopic,
  type IndexPlan,
  type Outbox,
  type Session,
  whenCommitted,
} from '@tocsin/mongo';
import { nextDueAt } from './due.ts';
import type { EscalationState } from './escalation-state.ts';
import type { DueEscalations } from './due-operations.ts';
import type { EscalationEngine } from './operations.ts';
import type { StateChange } from './state-change.ts';

export const ESCALATION_STATES = 'escalation_states';

/** Finds the escalation states that are old enough to be removed. */
const BY_END = { endedAt: 1 } as const;

export type EscalationStateDocument = Omit<EscalationState, 'alertId'> & {
  readonly _id: string;
  /** When the escalation state of a closed or deleted alert was changed last: from here its retention counts. Absent while it is open. */
  readonly endedAt?: Date;
  /** When the next item of the escalation state is due; absent where the state only waits for events. */
  readonly nextDueAt?: Date;
};

export const escalationStateIndexes: readonly IndexPlan[] = [
  {
    collection: ESCALATION_STATES,
    keys: { _id: 1 },
    serves: 'the escalation state of an alert, read and written by each event',
  },
  {
    collection: ESCALATION_STATES,
    keys: BY_END,
    options: { partialFilterExpression: { endedAt: { $exists: true } } },
    serves: 'the removal of states of alerts that were closed or deleted long ago',
  },
  dueIndex(ESCALATION_STATES),
];

/** The escalation state as it is kept after a change at `at`. */
function toDocument({ alertId, ...rest }: EscalationState, at: Date): EscalationStateDocument {
  const due = nextDueAt({ alertId, ...rest });
  return {
    _id: alertId,
    ...rest,
    ...(rest.alert.status !== 'open' && { endedAt: at }),
    ...(due !== undefined && { nextDueAt: due }),
  };
}

/** The escalation state without the fields that only indexes need. */
function toState({ _id: alertId, ...document }: EscalationStateDocument): EscalationState {
  const { endedAt: _, nextDueAt: __, ...state } = document;
  return { alertId, ...state };
}

/** An escalation state with something overdue. */
export interface OverdueEscalation {
  readonly alertId: string;
  readonly dueAt: Date;
}

export interface EscalationStateStoreParts {
  readonly connection: Connection;
  /** Relays pages, commands and decisions. */
  readonly outbox: Outbox;
  /** The due work of escalation states, which has to know when each is due next. */
  readonly dueWork: Pick<DueWork<EscalationStateDocument>, 'wakeAfterCommit'>;
}

/** Most escalation states that one call removes. */
const MAX_REMOVED = 500;

const MAX_COUNTED = 1_000_000;

/** Escalation states in MongoDB. A transaction writes changes of escalation states with their pages, commands and decisions. */
export class EscalationStateStore {
  readonly #parts: EscalationStateStoreParts;

  constructor(parts: EscalationStateStoreParts) {
    this.#parts = parts;
  }

  /** The escalation states of alerts, as the transaction sees them where there is one. */
  async find(alertIds: readonly string[], session?: Session): Promise<ReadonlyMap<string, EscalationState>> {
    if (alertIds.length === 0) return new Map();
    const documents = await this.#states()
      .find({ _id: { $in: [...new Set(alertIds)] } }, session && { session })
      .toArray();
    return new Map(documents.map((document) => [document._id, toState(document)]));
  }

  /**
   * Removes some of the escalation states of closed and deleted alerts, changed last at `until` or before, the oldest first. Resolves to how
   * many; 0 when none is left. A state that changes meanwhile stays.
   */
  async removeEnded(until: Date): Promise<number> {
    const ended = { endedAt: { $exists: true, $lte: until } };
    const oldest = { sort: BY_END, hint: BY_END, limit: MAX_REMOVED, projection: { _id: 1 } } as const;
    const ids = (await this.#states().find(ended, oldest).toArray()).map(({ _id }) => _id);
    // An escalation state that has changed since it was found stays.
    if (ids.length > 0) await this.#states().deleteMany({ _id: { $in: ids }, ...ended });
    return ids.length;
  }

  /** Writes changes in the transaction of `session`, with their pages, commands and decisions. */
  async write(session: Session, changes: readonly StateChange[]): Promise<void> {
    if (changes.length === 0) return;
    const { dueWork, outbox } = this.#parts;
    const documents = new Map(
      changes.flatMap(({ at, state }) =>
        state === undefined ? [] : [[state.alertId, toDocument(state, at)] as const],
      ),
    );
    const writes = [...documents.values()].map(({ _id, ...replacement }) => ({
      replaceOne: { filter: { _id }, replacement, upsert: true },
    }));
    if (writes.length > 0) await this.#states().bulkWrite(writes, { session, ordered: false, ignoreUndefined: true });
    dueWork.wakeAfterCommit(
      session,
      [...documents.values()].map(({ nextDueAt }) => nextDueAt),
    );
    await outbox.addAll(session, [
      forTopic(
        Pages,
        changes.flatMap(({ cancels, pages }) => [...cancels, ...pages]),
      ),
      forTopic(
        AlertCommands,
        changes.flatMap(({ commands }) => commands),
      ),
      forTopic(
        Decisions,
        changes.flatMap(({ decisions }) => decisions),
      ),
    ]);
  }

  /** The escalation states with something that was due at `until` or before, the longest due first. */
  async findOverdue(until: Date, limit: number): Promise<readonly OverdueEscalation[]> {
    const due = { nextDueAt: { $exists: true, $lte: until } };
    const found = await this.#states()
      .find(due, { sort: BY_DUE, hint: BY_DUE, limit, projection: { nextDueAt: 1 } })
      .toArray();
    return found.map(({ _id, nextDueAt: dueAt = until }) => ({ alertId: _id, dueAt }));
  }

  /** Estimates how many escalation states of open alerts there are: all without the ended ones, of which at most 1 000 000 are counted. */
  async countOpen(): Promise<number> {
    const all = await this.#states().estimatedDocumentCount();
    const ended = await this.#states().countDocuments(
      { endedAt: { $exists: true } },
      { hint: BY_END, limit: MAX_COUNTED },
    );
    return Math.max(0, all - ended);
  }

  #states() {
    return collectionOf<EscalationStateDocument>(this.#parts.connection, ESCALATION_STATES);
  }
}

type EscalationWorkOptions = Pick<
  DueWorkOptions<EscalationStateDocument, DueEscalations>,
  'collection' | 'prepare' | 'process' | 'skipFirstItem' | 'end'
>;

/** The due work of escalation states. The parts may be made later. */
export const escalationWorkOptions = (
  parts: () => { readonly engine: EscalationEngine; readonly store: Pick<EscalationStateStore, 'write'> },
): EscalationWorkOptions => ({
  collection: ESCALATION_STATES,
  prepare: (found, now) => parts().engine.prepareDue(found.map(toState), now),
  process: async (session, due, states, options) => {
    const changes = await states.process(due.map(toState), options);
    await parts().store.write(session, changes);
    whenCommitted(session, () => {
      states.committed(changes);
    });
  },
  skipFirstItem: (session, due, reason, now) => {
    const { engine, store } = parts();
    return store.write(session, [engine.skipFirstDue(toState(due), reason, now)]);
  },
  end: (states) => {
    states.end();
  },
});
