import type { IndexPlan } from '@tocsin/persistence';

/** The collections of this service's configuration and the indexes that they need. */
export const configurationIndexes: readonly IndexPlan[] = [
  { collection: 'schedules', keys: { name: 1 }, options: { unique: true }, serves: 'no two schedules of one name' },
  { collection: 'escalations', keys: { name: 1 }, options: { unique: true }, serves: 'no two escalations of one name' },
  {
    collection: 'forwarding_rules',
    keys: { alias: 1 },
    options: { unique: true, partialFilterExpression: { alias: { $type: 'string' } } },
    serves: 'no two forwarding rules of one alias; most have none',
  },
];
