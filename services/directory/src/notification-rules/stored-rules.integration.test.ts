import { describe, expect, it } from '@jest/globals';
import { Users } from '@tocsin/events';
import { copyWorkOf } from '../testing/copy-work.ts';
import { mongoDirectory, openMigrated } from '../testing/mongo-fixture.ts';
import { ADA, mailStep, nights, RULES, rulesApp, type RulesApp, shifts } from '../testing/notification-rule-fixture.ts';

// Each test migrates a database of its own, which takes a while on a busy machine.

async function onMongo() {
  const mongo = mongoDirectory(await openMigrated());
  const { users, userBatches, teams, roles } = mongo;
  const { copies: pendingCopies, goOn, logged } = copyWorkOf(mongo, () => app.directory.copyNotificationRules);
  const app: RulesApp = await rulesApp({ users, userBatches, teams, roles, pendingCopies });
  return { ...app, publisher: mongo.publisher, goOn, logged };
}

const full = {
  ...shifts,
  enabled: false,
  criteria: {
    type: 'match-any-condition',
    conditions: [
      { field: 'message', not: true, operation: 'contains', expectedValue: '' },
      { field: 'extra-properties', key: '$a.b', operation: 'equals', expectedValue: '1', order: 7 },
    ],
  },
  timeRestriction: {
    type: 'weekday-and-time-of-day',
    restrictions: [{ startDay: 'monday', startHour: 8, startMin: 15, endDay: 'friday', endHour: 17, endMin: 1 }],
  },
  repeat: { loopAfter: 4 },
  steps: [mailStep, { ...mailStep, enabled: false }],
};

describe('notification rules in MongoDB', () => {
  it.each([
    ['everything', full],
    ['as little as possible', nights],
  ])('come back as they were written with %s, and are announced once', async (_, body) => {
    const { rule, read, patch, publisher } = await onMongo();
    const path = `${RULES}/${await rule(body)}`;
    const [data, announced] = [(await read(path)) as object, publisher.published.length];
    expect((await patch(path, data)).status).toBe(200);
    expect(await read(path)).toEqual(data);
    expect(publisher.published).toHaveLength(announced);
    const { message } = publisher.published.at(-1) ?? {};
    expect(Users.schema.parse(message)).toEqual(message);
  });

  it('lose no write and have an order without gaps, with any number of concurrent writers', async () => {
    const { rule, post, remove, places } = await onMongo();
    const ids = await Promise.all(['a', 'b', 'c', 'd'].map((name) => rule({ ...nights, name, order: 0 })));
    await Promise.all([
      ...ids.map((id, n) => post(`${RULES}/${id}/change-order`, { order: (n * 2) % 5 })),
      ...ids.map((id) => post(`${RULES}/${id}/steps`, mailStep)),
      remove(`${RULES}/${ids[0]}`),
      rule({ ...nights, name: 'e', order: 1 }),
    ]);
    const left = await places('create-alert');
    expect(left.map(([, order]) => order)).toEqual([0, 1, 2, 3, 4]);
    expect(left.map(([name]) => name).toSorted()).toEqual(['New Alert', 'b', 'c', 'd', 'e']);
  });

  it('are copied to all users after the answer as they were then, and users who have them are not published again', async () => {
    const { adaId, directory, goOn, logged, patch, post, publisher, rule, user } = await onMongo();
    for (let n = 0; n < 60; n += 1) await user(`user${n}@example.com`);
    const steps = [{ ...mailStep, contact: { method: 'mobile', to: 'app' } }, mailStep];
    const path = `${RULES}/${await rule({ ...nights, order: 0, steps })}`;
    const ask = async () => {
      const { body } = await post(`${RULES}/copy-to`, { toUsers: ['all'], ruleTypes: ['all'] });
      expect(body).toMatchObject({ result: 'Copying of notification rules to 60 users started.' });
    };
    const rulesOf = async (name: string) => (await directory.users.get(name)).notificationRules;
    const before = publisher.published.length;
    await ask();
    expect((await rulesOf('user59@example.com'))[0]).toMatchObject({ name: 'New Alert' });
    await patch(path, { name: 'Renamed' });
    await goOn();
    expect(publisher.published).toHaveLength(before + 61);
    expect((await rulesOf('user59@example.com'))[0]).toMatchObject({
      name: 'Nights',
      steps: [{ contact: { to: 'user59@example.com' } }],
    });
    expect(logged).toEqual([{ userId: adaId, message: 'notification rules are copied' }]);
    await patch(path, { name: 'Nights' });
    await ask();
    await goOn();
    expect(publisher.published).toHaveLength(before + 62);
    expect(await rulesOf(ADA)).toHaveLength(8);
  });
});
