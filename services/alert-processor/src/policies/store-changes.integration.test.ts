import { describe, expect, it } from '@jest/globals';
import type { Configuration, ConfigurationStore } from './configuration.ts';
import type { Maintenance } from '../maintenance/maintenance.ts';
import type { NotificationEffects, Policy } from './policy.ts';
import { modifying, notifying, policyOf } from '../testing/policy-samples.ts';
import { useDatabase } from '../testing/mongo-fixture.ts';
import { MongoConfigurationStore } from './store.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 5, 8, 0, second));

const EVERYTHING: NotificationEffects = {
  kind: 'notification',
  suppress: true,
  delay: { option: 'next-monday', untilHour: 8, untilMinute: 30 },
  deduplication: { type: 'frequency-based', count: 3, duration: { timeAmount: 90, timeUnit: 'seconds' } },
  autoClose: { duration: { timeAmount: 2, timeUnit: 'days' } },
  autoRestart: { duration: { timeAmount: 5, timeUnit: 'minutes' }, maxRepeatCount: 20 },
};

const MODIFY = modifying({
  continue: true,
  message: '{{message}}: $1.a',
  description: '',
  ignoreOriginalActions: true,
  ignoreOriginalRecipients: true,
  ignoreOriginalTeams: true,
  actions: ['Restart'],
  details: [
    ['a.b', '1'],
    ['$set', '$where'],
    ['__proto__', 'x'],
  ],
  recipients: [{ type: 'user', id: 'ada' }, { type: 'all' }],
  tags: ['$tag', 'a.b'],
});

/** A policy with every field, and with names that MongoDB could mistake for operators or paths. */
const full = policyOf('full', {
  teamId: 'ops',
  order: 7,
  filter: {
    set: {
      type: 'match-all-conditions',
      conditions: [
        { field: 'extra-properties', key: '$a.b', not: false, operation: 'equals', expectedValue: '$x', order: 0 },
        { field: 'message', not: true, operation: 'matches', expectedValue: '^a.b$' },
      ],
    },
    written: {
      conditionMatchType: 'Match All Conditions',
      conditions: [
        { field: 'extra_properties_key_prefix-$a.b', not: false, operation: 'Equals', expectedValue: '$x', order: 0 },
        { field: 'message', isNot: true, operation: 'Matches', expectedValue: '^a.b$' },
      ],
    },
  },
  timeRestriction: {
    type: 'weekday-and-time-of-day',
    restrictions: [{ startDay: 'friday', startHour: 18, startMin: 0, endDay: 'monday', endHour: 9, endMin: 30 }],
  },
  effects: EVERYTHING,
});

const plannedWindow: Maintenance = {
  id: 'planned',
  createdAt: at(0),
  description: 'Move',
  teamId: undefined,
  madeBy: 'key',
  type: 'indefinitely',
  startsAt: at(1),
  endsAt: undefined,
  cancelledAt: undefined,
  deletedAt: undefined,
  rules: [],
};

const endedWindow: Maintenance = {
  ...plannedWindow,
  id: 'ended',
  teamId: 'ops',
  type: 'schedule',
  endsAt: at(4),
  cancelledAt: at(2),
  deletedAt: at(3),
  rules: [
    { entity: { type: 'integration', id: 'api' }, state: 'disabled' },
    { entity: { type: 'policy', id: 'full' }, state: 'enabled' },
  ],
};

const idsOf = ({ policies }: Configuration) => policies.map(({ id }) => id);

const put = (store: ConfigurationStore, ...policies: readonly Policy[]) =>
  store.change(() => ({ policies: { put: policies }, answer: undefined }));

/** Decides to add a policy, unless there is one. */
const onlyOne = (id: string) => (present: Configuration) => {
  if (present.policies.length > 0) throw new Error('taken');
  return { policies: { put: [policyOf(id)] }, answer: id };
};

const database = useDatabase();

async function make(): Promise<{ readonly open: () => ConfigurationStore }> {
  const connection = await database();
  return { open: () => new MongoConfigurationStore(connection) };
}
const one = async () => (await make()).open();

describe('the store of configuration', () => {
  it('is empty at first', async () => {
    expect(await (await one()).current()).toStrictEqual({ policies: [], maintenances: [] });
  });

  it.each([
    ['a notification policy with every effect', full],
    ['a notification policy without any', policyOf('none')],
    ['a modify policy', policyOf('modify', { effects: MODIFY })],
    ['a modify policy with a priority', policyOf('p', { effects: modifying({ priority: 'P1' }) })],
    [
      'a policy of one effect',
      policyOf('delay', {
        effects: notifying({ delay: { option: 'for-duration', duration: { timeAmount: 1, timeUnit: 'hours' } } }),
        timeRestriction: {
          type: 'time-of-day',
          restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 0 },
        },
      }),
    ],
  ])('reads what is strictly equal to what was written: %s', async (_, written) => {
    const { open } = await make();
    await put(open(), written);
    expect((await open().current()).policies).toStrictEqual([written]);
  });

  it('reads windows strictly equal to those that were written', async () => {
    const { open } = await make();
    const windows = [endedWindow, plannedWindow];
    await open().change(() => ({ maintenances: { put: windows }, answer: undefined }));
    expect((await open().current()).maintenances).toStrictEqual(windows);
  });

  it('lists in the order of creation, then of the ids', async () => {
    const { open } = await make();
    const store = open();
    await put(store, policyOf('b'), policyOf('late', { createdAt: at(1) }), policyOf('a'));
    await put(store, policyOf('early', { createdAt: at(-1) }));
    expect(idsOf(await store.current())).toEqual(['early', 'a', 'b', 'late']);
    expect(idsOf(await open().current())).toEqual(['early', 'a', 'b', 'late']);
  });

  it('replaces a policy as a whole, deletes removed ones, and writes both kinds in one step', async () => {
    const store = await one();
    await store.change(() => ({
      policies: { put: [full, policyOf('other')] },
      maintenances: { put: [plannedWindow] },
      answer: undefined,
    }));
    const bare = policyOf('full', { name: 'Renamed' });
    await store.change(() => ({
      policies: { put: [bare], removed: [policyOf('other')] },
      maintenances: { removed: [plannedWindow] },
      answer: undefined,
    }));
    expect(await store.current()).toStrictEqual({ policies: [bare], maintenances: [] });
  });

  it('returns the same object while nothing changes, so that it is compiled once', async () => {
    const store = await one();
    await put(store, full);
    const before = await store.current();
    expect(await store.change(() => ({ answer: 42 }))).toBe(42);
    await store.change(() => ({ policies: { put: [], removed: [] }, answer: undefined }));
    await expect(store.change(onlyOne('x'))).rejects.toThrow('taken');
    expect(await store.current()).toBe(before);
    await put(store, policyOf('x'));
    const after = await store.current();
    expect(after).not.toBe(before);
    expect(after.maintenances).toBe(before.maintenances);
  });

  it('sees writes and removals of another replica at once, and keeps the rest', async () => {
    const { open } = await make();
    const [here, there] = [open(), open()];
    const other = policyOf('other');
    await put(there, full);
    expect((await here.current()).policies).toStrictEqual([full]);
    const wanted = { policies: { put: [other] }, maintenances: { put: [plannedWindow] }, answer: undefined };
    await there.change(() => wanted);
    expect(await here.current()).toStrictEqual(await open().current());
    expect(await here.current()).toMatchObject({ policies: { length: 2 }, maintenances: [plannedWindow] });
    const removed = { policies: { removed: [full] }, maintenances: { removed: [plannedWindow] }, answer: undefined };
    await here.change(() => removed);
    expect(await there.current()).toStrictEqual({ policies: [other], maintenances: [] });
  });

  it('lets one of many writers win, on whichever replica they write', async () => {
    const { open } = await make();
    const replicas = [open(), open()] as const;
    const writers = Array.from({ length: 20 }, (_, n) => replicas[n % 2 === 0 ? 0 : 1].change(onlyOne(`id-${n}`)));
    const processed = await Promise.allSettled(writers);
    expect(processed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await open().current()).policies).toHaveLength(1);
  });

  it('decides each write on the result of the write before', async () => {
    const store = await one();
    const next = (present: Configuration) => {
      const order = present.policies.length;
      return { policies: { put: [policyOf(`id-${order}`, { order })] }, answer: order };
    };
    const orders = await Promise.all(Array.from({ length: 10 }, () => store.change(next)));
    expect(orders).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
