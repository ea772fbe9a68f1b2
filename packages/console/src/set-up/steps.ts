import type { SetUp } from './queries.ts';

export type StepName = 'you' | 'team' | 'people' | 'integration' | 'test';

export interface Step {
  readonly name: StepName;
  readonly isDone: boolean;
  /** What has to be done before; undefined where nothing has. */
  readonly missing: string | undefined;
}

const NO_TEAM = 'Create your team first.';

/** The steps in their order. Whether one is done is what the server has, so that another browser shows the same. */
export function stepsOf({ integration, me, schedule, team, testAlert }: SetUp): readonly Step[] {
  const others = (team?.members ?? []).map(({ user }) => user.username).filter((name) => name !== me.username);
  const missing = team === undefined ? NO_TEAM : undefined;
  return [
    // A user who was made with an address alone has it as their name.
    { name: 'you', isDone: me.fullName !== me.username, missing: undefined },
    { name: 'team', isDone: team !== undefined && isCovered(schedule), missing: undefined },
    { name: 'people', isDone: others.length > 0 && others.every((name) => takesTurns(schedule, name)), missing },
    { name: 'integration', isDone: integration !== undefined, missing },
    { name: 'test', isDone: testAlert !== undefined, missing },
  ];
}

/** Whether a user is on call in a schedule at some time. */
export const isCovered = (schedule: SetUp['schedule']): boolean => (schedule?.rotations.length ?? 0) > 0;

/** Whether a user is in the first rotation of a schedule. */
export const takesTurns = (schedule: SetUp['schedule'], username: string): boolean =>
  schedule?.rotations[0]?.participants.some(
    (each) => each.type === 'user' && each.username === username.toLowerCase(),
  ) ?? false;

const MONDAY_MORNING_HOUR = 9;
const DAYS_OF_WEEK = 7;

/** The last Monday, 09:00, in the zone of this device: when the weeks of the first rotation begin. */
export function lastMonday(now: Date): Date {
  const daysSince = (now.getDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK;
  const monday = (days: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, MONDAY_MORNING_HOUR);
  const latest = monday(daysSince);
  return latest <= now ? latest : monday(daysSince + DAYS_OF_WEEK);
}
