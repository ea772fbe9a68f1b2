import { setImmediate } from 'node:timers/promises';
import { accessTo } from '../domain/access.ts';
import { onCallTree, type OnCallNode } from '../domain/on-call-tree.ts';
import type { Schedule } from '../domain/schedule.ts';
import type { ConfigurationStore } from '../ports/configuration-store.ts';
import { visible, type Caller, type Identifier } from './caller.ts';
import type { KnownWorld, Worlds } from './known-world.ts';

/** Schedules computed in one go: thousands of them would hold up pages, which the same process sends. */
const BREATH = 50;

/** One schedule's answer to an on-call query. */
export interface OnCallOfSchedule {
  readonly schedule: Schedule;
  readonly participants: readonly OnCallNode[];
}

/** Answers on-call queries, opened as far as it goes (S4, S7). */
export class OnCallResolver {
  readonly #store: ConfigurationStore;
  readonly #worlds: Worlds;

  constructor({ store, worlds }: { store: ConfigurationStore; worlds: Worlds }) {
    this.#store = store;
    this.#worlds = worlds;
  }

  /**
   * @throws NotFoundError when there is no such schedule, or none that the caller may see.
   * @throws UnavailableError when an unknown user or team cannot be asked for.
   */
  async ofSchedule(identifier: Identifier, at: Date, caller: Caller): Promise<OnCallOfSchedule> {
    const { schedules } = await this.#store.current();
    const schedule = visible('Schedule', schedules, identifier, caller);
    return opened(await this.#worlds.open(), schedule, at);
  }

  /** Of every schedule that the caller may see, in the order of their creation. */
  async ofAll(at: Date, { teamId }: Caller): Promise<readonly OnCallOfSchedule[]> {
    const { schedules } = await this.#store.current();
    const world = await this.#worlds.open();
    const answers: OnCallOfSchedule[] = [];
    for (const schedule of schedules.all().filter((one) => accessTo(one, teamId) !== 'none')) {
      answers.push(await opened(world, schedule, at));
      if (answers.length % BREATH === 0) await setImmediate();
    }
    return answers;
  }
}

/** Each round opens what the last one found, so there are no more rounds than layers. */
async function opened(world: KnownWorld, schedule: Schedule, at: Date): Promise<OnCallOfSchedule> {
  for (;;) {
    const { participants, unknown } = onCallTree(world, schedule, at);
    if (!(await world.learn(unknown))) return { schedule, participants };
  }
}
