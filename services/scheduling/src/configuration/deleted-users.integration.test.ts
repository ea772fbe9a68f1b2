import { beforeEach, describe, expect, it } from '@jest/globals';
import { Schedules, type UserState } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import { MemoryReplica } from '@tocsin/kafka';
import { CalendarLinkStore } from '../calendar-links/store.ts';
import type { ForwardingRule } from '../forwarding/forwarding.ts';
import type { Override } from '../schedules/override.ts';
import { replicaOn, useDatabase } from '../testing/mongo-fixture.ts';
import { forwardingOf, scheduleOf, userOf } from '../testing/on-call-samples.ts';
import type { ConfigurationStore } from './store.ts';
import { DeletedUserCleanup } from './task.ts';

const openDatabase = useDatabase();

const overrideBy = (userId: string | undefined): Override => ({
  alias: `by ${userId ?? 'no user'}`,
  user: userId === undefined ? { type: 'none' } : { type: 'user', id: userId },
  startAt: new Date('2026-01-01T00:00:00Z'),
  endAt: new Date('2026-01-02T00:00:00Z'),
  rotationIds: undefined,
});

let store: ConfigurationStore;
let users: MemoryReplica<UserState>;
let logged: string[];
let calendarLinks: CalendarLinkStore;
const readinessMails = { followUsers: () => Promise.resolve() };
let deletedUserCleanup: DeletedUserCleanup;

const log = {
  info: ({ ruleId, alias }: Readonly<Record<string, unknown>>, message: string) => {
    logged.push(`${message} ${String(ruleId ?? alias)}`);
  },
};
const left = async () => {
  const { schedules, forwardingRules } = await store.current();
  const aliases = schedules.all().flatMap(({ overrides }) => overrides.map(({ alias }) => alias));
  return [...aliases, ...forwardingRules.all().map(({ id }) => id)];
};
const versions = async () => (await store.current()).schedules.all().map(({ version }) => version.n);

beforeEach(async () => {
  const connection = await openDatabase();
  ({ store } = replicaOn(connection));
  users = new MemoryReplica<UserState>({ username: ({ username }) => username });
  logged = [];
  for (const id of ['ada', 'bob', 'eve']) users.put(id, userOf(id));
  const overrides = [overrideBy('ada'), overrideBy('bob'), overrideBy(undefined)];
  await store.change(() => ({
    schedules: { put: [scheduleOf('ops', [], { overrides }), scheduleOf('other', [])] },
    forwardingRules: { put: [forwardingOf('ada', 'eve'), forwardingOf('eve', 'ada'), forwardingOf('bob', 'eve')] },
    answer: undefined,
  }));
  calendarLinks = new CalendarLinkStore(connection);
  deletedUserCleanup = new DeletedUserCleanup({ store, users, calendarLinks, readinessMails });
});

describe('the cleanup of deleted users', () => {
  it('deletes the overrides and the rules from and to a user who is gone, and logs each once', async () => {
    users.remove('ada');
    await deletedUserCleanup.sweep(log);
    expect(await left()).toEqual(['by bob', 'by no user', 'bob-eve']);
    expect(await versions()).toEqual([2, 1]);
    await deletedUserCleanup.sweep(log);
    expect(logged.sort()).toEqual([
      'A forwarding rule was deleted, because its user was deleted. ada-eve',
      'A forwarding rule was deleted, because its user was deleted. eve-ada',
      'An override was deleted, because its user was deleted. by ada',
    ]);
    expect(await versions()).toEqual([2, 1]);
  });

  it('changes nothing while all users exist', async () => {
    const before = await left();
    await deletedUserCleanup.sweep(log);
    expect([await left(), logged]).toEqual([before, []]);
  });

  it('uses the answer of the owner where the replica lags behind', async () => {
    const before = await left();
    users.forget('ada');
    users.ownerHas('id', 'ada', userOf('ada'));
    await deletedUserCleanup.sweep(log);
    expect(await left()).toEqual(before);
  });

  it('deletes nothing while the owner does not answer', async () => {
    const before = await left();
    users.forget('ada');
    users.refuseWith(new UnavailableError('The directory does not answer.'));
    await expect(deletedUserCleanup.sweep(log)).rejects.toThrow(UnavailableError);
    expect(await left()).toEqual(before);
  });

  it('deletes and logs each thing once where several processes clean up, publishes it, and keeps what is written meanwhile', async () => {
    const connection = await openDatabase();
    const replicas = [replicaOn(connection), replicaOn(connection), replicaOn(connection)] as const;
    const [{ store }] = replicas;
    users.remove('bob');
    const rules = (count: number): readonly ForwardingRule[] =>
      Array.from({ length: count }, (_, n) => forwardingOf('bob', 'ada', { id: `rule-${n}` }));
    await store.change(() => ({
      schedules: { put: [scheduleOf('ops', [], { overrides: [overrideBy('ada'), overrideBy('bob')] })] },
      forwardingRules: { put: rules(20) },
      answer: undefined,
    }));
    const kept = forwardingOf('ada', 'eve', { id: 'kept' });
    await Promise.all([
      ...replicas.map((replica) =>
        new DeletedUserCleanup({ store: replica.store, users, calendarLinks, readinessMails }).sweep(log),
      ),
      replicas[2].store.change(() => ({ forwardingRules: { put: [kept] }, answer: undefined })),
    ]);
    expect(logged.toSorted()).toEqual(
      [
        ...rules(20).map(({ id }) => `A forwarding rule was deleted, because its user was deleted. ${id}`),
        'An override was deleted, because its user was deleted. by bob',
      ].toSorted(),
    );
    const { schedules, forwardingRules } = await store.current();
    expect(schedules.get('ops')).toMatchObject({ version: { n: 2 }, overrides: [{ alias: 'by ada' }] });
    expect(forwardingRules.all().map(({ id }) => id)).toEqual(['kept']);
    const announced = replicas.flatMap(({ publisher }) => publisher.published);
    const versions = announced.map(({ message }) => Schedules.schema.parse(message).version.n);
    expect(versions.toSorted()).toEqual([1, 2]);
  });
});
