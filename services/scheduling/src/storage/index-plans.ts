import type { IndexPlan } from '@tocsin/persistence';

/** The collections of this service's configuration and the indexes that they need. */
export const configurationIndexes: readonly IndexPlan[] = [
  { collection: 'schedules', keys: { name: 1 }, options: { unique: true }, serves: 'no two schedules of one name' },
  { collection: 'escalations', keys: { name: 1 }, options: { unique: true }, serves: 'no two escalations of one name' },
];
