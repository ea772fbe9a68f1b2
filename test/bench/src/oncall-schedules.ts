import { Temporal } from 'temporal-polyfill';

/** A rotation of the on-call bench: turns of whole days. */
interface BenchRotation {
  readonly type: 'daily' | 'weekly';
  readonly startDate: string;
  readonly participants: readonly { readonly type: 'user'; readonly username: string }[];
}

/** A schedule of the on-call bench, as the API takes it. */
export interface BenchSchedule {
  readonly name: string;
  readonly timezone: string;
  readonly rotations: readonly BenchRotation[];
}

const ZONES = ['America/Chicago', 'Europe/Paris', 'Asia/Kathmandu', 'Australia/Lord_Howe'];
const USERS = 50;

/** The users who are on call in the bench. */
export const benchUsers = (): readonly string[] =>
  Array.from({ length: USERS }, (_, index) => `bench-${index}@example.com`);

/** Schedule number `index` of the bench: a weekly and a daily rotation, both years old. */
export function benchSchedule(index: number): BenchSchedule {
  const someone = (offset: number) => ({
    type: 'user' as const,
    username: `bench-${(index * 7 + offset) % USERS}@example.com`,
  });
  const month = String(1 + (index % 12)).padStart(2, '0');
  return {
    name: `Bench ${index}`,
    timezone: ZONES[index % ZONES.length] ?? 'UTC',
    rotations: [
      { type: 'weekly', startDate: `2021-${month}-04T15:00:00Z`, participants: [0, 1, 2, 3].map(someone) },
      { type: 'daily', startDate: `2023-${month}-01T15:30:00Z`, participants: [4, 5, 6].map(someone) },
    ],
  };
}

/** The users on call at `at`, computed in a simple way: from the start of each rotation day by day. */
export function dayWalk({ timezone, rotations }: BenchSchedule, at: Date): readonly string[] {
  const names = rotations.map(({ type, startDate, participants }) => {
    const length = type === 'weekly' ? 7 : 1;
    let day = 0;
    let handOff = Temporal.Instant.from(startDate).toZonedDateTimeISO(timezone);
    for (;;) {
      handOff = handOff.add({ days: 1 });
      if (handOff.epochMilliseconds > at.getTime()) break;
      day += 1;
    }
    return participants[Math.floor(day / length) % participants.length]?.username ?? '';
  });
  return [...new Set(names)];
}
