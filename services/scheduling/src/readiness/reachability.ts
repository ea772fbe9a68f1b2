import type { Steps } from '@tocsin/core';
import { selectMembers } from '../configuration/snapshot.ts';
import type { EscalationRule } from '../escalations/escalation.ts';
import type { ReadinessView } from './finding.ts';

/** Which schedules and escalations reach a user, in one report. Each of them, and each team that they open, is looked at once. */
export class Reachability {
  readonly #view: ReadinessView;
  readonly #known = new Map<string, boolean>();

  constructor(view: ReadinessView) {
    this.#view = view;
  }

  /**
   * Of a schedule: whether it is enabled and any user, team or escalation that exists comes on call in it. Of an escalation: whether a rule
   * of it reaches a user.
   */
  reachesUser({ id, type }: { readonly type: 'schedule' | 'escalation'; readonly id: string }): Steps<boolean> {
    return this.#once(`${type}:${id}`, () => (type === 'schedule' ? this.#ofSchedule(id) : this.#ofEscalation(id)));
  }

  *#once(key: string, find: () => Steps<boolean>): Steps<boolean> {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const reaches = yield* find();
    this.#known.set(key, reaches);
    return reaches;
  }

  *#ofSchedule(id: string): Steps<boolean> {
    const { exists, now, schedule } = this.#view;
    const found = schedule(id);
    if (found?.enabled !== true) return false;
    const goesOn = (endAt: Date | undefined): boolean => endAt === undefined || endAt.getTime() > now;
    for (const { endAt, participants } of found.rotations) {
      if (goesOn(endAt) && (yield* someSteps(participants, (one) => one.type !== 'none' && exists(one)))) return true;
      yield;
    }
    return yield* someSteps(
      found.overrides,
      ({ endAt, user }) => goesOn(endAt) && user.type === 'user' && exists(user),
    );
  }

  *#ofEscalation(id: string): Steps<boolean> {
    for (const rule of this.#view.escalation(id)?.rules ?? []) {
      if (yield* this.#rule(rule)) return true;
      yield;
    }
    return false;
  }

  /** A team that routes is taken to reach a user: its own rules are looked at themselves. */
  *#rule({ notifyType, recipient }: EscalationRule): Steps<boolean> {
    const { exists, team } = this.#view;
    if (recipient.type === 'schedule') return yield* this.reachesUser({ type: 'schedule', id: recipient.id });
    if (recipient.type === 'user' || notifyType === 'default') return exists(recipient);
    const found = team(recipient.id);
    if (found === undefined) return exists(recipient);
    return yield* this.#once(`${notifyType}:${recipient.id}`, () =>
      someSteps(selectMembers(found, notifyType), (userId) => exists({ type: 'user', id: userId })),
    );
  }
}

/** As many items as one step looks at. */
const ITEMS_OF_A_STEP = 500;

/** Whether the test holds for one of the items. */
function* someSteps<T>(items: readonly T[], test: (item: T) => boolean): Steps<boolean> {
  for (const [index, item] of items.entries()) {
    if (test(item)) return true;
    if ((index + 1) % ITEMS_OF_A_STEP === 0) yield;
  }
  return false;
}
