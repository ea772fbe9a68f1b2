import { describe, expect, it } from '@jest/globals';
import { Schedules, type UserState } from '@tocsin/contracts';
import { MemoryReplica } from '@tocsin/messaging';
import { forwardingOf, scheduleOf, userOf } from '../testing/on-call-samples.ts';
import type { Override } from '../domain/override.ts';
import type { ForwardingRule } from '../domain/forwarding.ts';
import { replicaOn, useDatabase } from '../testing/mongo-fixture.ts';
import { Leavers } from './leavers.ts';

const openDatabase = useDatabase();

const overrideBy = (id: string): Override => ({
  alias: `by ${id}`,
  user: { type: 'user', id },
  rotationIds: undefined,
  startAt: new Date('2026-01-01T00:00:00Z'),
  endAt: new Date('2026-01-02T00:00:00Z'),
});

describe('Leavers of several replicas on MongoDB', () => {
  it('delete and log each thing once, announce it, and keep what is written meanwhile', async () => {
    const connection = await openDatabase();
    const replicas = [replicaOn(connection), replicaOn(connection), replicaOn(connection)] as const;
    const [{ store }] = replicas;
    const users = new MemoryReplica<UserState>();
    for (const id of ['ada', 'eve']) users.put(id, userOf(id));
    const rules = (count: number): readonly ForwardingRule[] =>
      Array.from({ length: count }, (_, n) => forwardingOf('bob', 'ada', { id: `rule-${n}` }));
    await store.change(() => ({
      schedules: { put: [scheduleOf('ops', [], { overrides: [overrideBy('ada'), overrideBy('bob')] })] },
      forwardingRules: { put: rules(20) },
      answer: undefined,
    }));
    const said: unknown[] = [];
    const log = { info: ({ ruleId, alias }: Readonly<Record<string, unknown>>) => said.push(ruleId ?? alias) };
    const kept = forwardingOf('ada', 'eve', { id: 'kept' });
    await Promise.all([
      ...replicas.map((replica) => new Leavers({ store: replica.store, users }).sweep(log)),
      replicas[2].store.change(() => ({ forwardingRules: { put: [kept] }, answer: undefined })),
    ]);
    expect(said.toSorted()).toEqual(['by bob', ...rules(20).map(({ id }) => id)].toSorted());
    const { schedules, forwardingRules } = await store.current();
    expect(schedules.get('ops')).toMatchObject({ version: { n: 2 }, overrides: [{ alias: 'by ada' }] });
    expect(forwardingRules.all().map(({ id }) => id)).toEqual(['kept']);
    const announced = replicas.flatMap(({ publisher }) => publisher.published);
    const versions = announced.map(({ message }) => Schedules.schema.parse(message).version.n);
    expect(versions.toSorted()).toEqual([1, 2]);
  });
});
