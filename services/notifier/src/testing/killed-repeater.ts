/**
 * A process that repeats the steps of pages that are due, and kills itself at the point that its argument names. Its one argument is a
 * {@link KilledRepeater} in JSON.
 */
import { ManualClock } from '@tocsin/core';
import { dieAt, monitoredUri, type PointOfDeath } from '@tocsin/testkit';
import { RepeatSteps } from '../pages/task.ts';
import { openMongoStores, repetitionsOf, type MongoStores, type RepetitionParts } from './mongo-stores.ts';
import { ada } from './page-samples.ts';

export interface KilledRepeater {
  readonly mongoUri: string;
  readonly database: string;
  /** By the clock of the service. */
  readonly now: string;
  readonly dieAt: PointOfDeath;
}

const repeat = { enabled: true, loopAfterMinutes: 10 };

/** Ada, whose steps start again every ten minutes. */
export const repeatingAda = ada({ notificationRules: ada().notificationRules.map((rule) => ({ ...rule, repeat })) });

export const steps = new RepeatSteps({
  users: {
    get: () => repeatingAda,
    isDeleted: () => false,
    fetch: () => Promise.resolve(repeatingAda),
  },
  channels: new Set(['email']),
});

/** Repeats the due work at `now`, as the service does. */
export async function repeatAt(
  now: Date,
  { connection, pageStore }: Pick<MongoStores, 'connection' | 'pageStore'>,
  change: Partial<Pick<RepetitionParts, 'steps' | 'store'>> = {},
): Promise<void> {
  const dueWork = repetitionsOf({ connection, store: pageStore, steps, clock: new ManualClock(now), ...change });
  await dueWork.activate(new AbortController().signal);
}

async function runUntilDeath({ database, mongoUri, now, ...options }: KilledRepeater): Promise<void> {
  const stores = await openMongoStores({ uri: monitoredUri(mongoUri), database });
  dieAt(stores.connection.getClient(), options.dieAt);
  await repeatAt(new Date(now), stores);
  await stores.connection.close();
}

const [, script = '', options] = process.argv;
if (script.endsWith('killed-repeater.ts') && options !== undefined)
  await runUntilDeath(JSON.parse(options) as KilledRepeater);
