import { setImmediate } from 'node:timers/promises';
import { accessTo } from '../domain/access.ts';
import { onCallAnswer, type OnCallAnswer } from '../domain/on-call-answer.ts';
import { onCallTree, type OnCallNode } from '../domain/on-call-tree.ts';
import type { ScheduleNotifyType } from '../domain/on-call.ts';
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

/** Says who is on call: opened as far as it goes for queries, and as users and responders for pages (S4, S7, S9). */
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

  /**
   * Whom a page to the schedule reaches at `at`; a schedule that is gone or disabled reaches nobody and says so.
   *
   * @throws UnavailableError when an unknown participant cannot be asked for: whether it exists is then open.
   */
  async usersOnCall(scheduleId: string, at: Date, notifyType: ScheduleNotifyType): Promise<OnCallAnswer> {
    const world = await this.#worlds.open();
    const answer = onCallAnswer(world, scheduleId, at, notifyType);
    const skipped = answer.verdicts.flatMap(({ outcome, participant }) =>
      outcome === 'skipped' && participant.type !== 'none' ? [participant] : [],
    );
    return (await world.learn(skipped)) ? onCallAnswer(world, scheduleId, at, notifyType) : answer;
  }
}

/** Each round opens what the last one found, so there are no more rounds than layers. */
async function opened(world: KnownWorld, schedule: Schedule, at: Date): Promise<OnCallOfSchedule> {
  for (;;) {
    const { participants, unknown } = onCallTree(world, schedule, at);
    if (!(await world.learn(unknown))) return { schedule, participants };
  }
}
