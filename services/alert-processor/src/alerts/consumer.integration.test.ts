import { describe, expect, it } from '@jest/globals';
import { Decisions, type Decision } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import { StagedProcessor } from '@tocsin/kafka';
import { idempotentWrites } from '@tocsin/mongo';
import { batchOf } from '../testing/batch-samples.ts';
import { setUp, team } from '../testing/component-fixture.ts';
import { acknowledge, byAlias, create, DUTY, pagingCreate } from '../testing/commands-samples.ts';
import { decisionsIntoLogs } from '../alert-log/consumer.ts';
import type { DecisionStore } from '../alert-log/store.ts';

describe('a batch of alert commands', () => {
  it('is processed, and its events carry the acceptance of their commands', async () => {
    const { commands, replicas, store } = await setUp();
    replicas.user.put(DUTY.id, { id: DUTY.id, username: 'duty@example.com' } as never);
    const command = pagingCreate('disk');
    expect(await commands.process([batchOf([command])])).toEqual({ outcome: 'done' });
    expect(await store.events()).toMatchObject([{ acceptedAt: command.acceptedAt, state: { alias: 'disk' } }]);
  });

  it('counts each item of the request of a tool once, also where the batch is delivered again (Q3)', async () => {
    const { commands, hookItems } = await setUp();
    const hook = { preset: 'grafana' };
    const [first, second] = [create('disk', { hook }), create('disk', { hook, alert: { priority: 'P1' } })];
    await commands.process([batchOf([first, create('other')])]);
    await commands.process([batchOf([first, create('other')])]);
    await commands.process([batchOf([first, second], 2)]);
    expect(hookItems).toEqual(['grafana opened', 'grafana raised']);
  });

  it('copies the traces of commands to their events', async () => {
    const { commands, replicas, store } = await setUp();
    replicas.user.put(DUTY.id, { id: DUTY.id, username: 'duty@example.com' } as never);
    const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const traced = { ...pagingCreate('disk'), trace };
    expect(await commands.process([batchOf([traced, pagingCreate('other')])])).toEqual({
      outcome: 'done',
    });
    expect((await store.events()).map((event) => event.trace)).toEqual([trace, undefined]);
    expect((await store.events())[1]).not.toHaveProperty('trace');
  });

  it('finds a team that was made a moment ago, and users whatever the case of their name', async () => {
    const { apply, replicas, store } = await setUp();
    replicas.team.ownerHas('name', 'Ops', team('ops', 'Ops'));
    replicas.user.put('u1', { id: 'u1', username: 'ada@example.com' } as never);
    const responders = [
      { type: 'team', name: 'Ops' },
      { type: 'user', name: 'Ada@Example.com' },
      { type: 'user', id: 'u1' },
    ] as const;
    await apply(create('disk', { alert: { responders: [...responders] } }));
    expect(await store.alerts.find(byAlias('disk'))).toMatchObject({
      responders: [
        { type: 'team', id: 'ops' },
        { type: 'user', id: 'u1' },
      ],
    });
  });

  it('is processed while the directory is unavailable, and adds the responder once they are found', async () => {
    const { elapse, apply, replicas, store } = await setUp();
    replicas.team.refuseWith(new UnavailableError('unavailable'));
    const command = create('disk', { alert: { responders: [{ type: 'team', name: 'Ops' }] } });
    expect(await apply(command)).toEqual({ outcome: 'done' });
    replicas.team.refuseWith(undefined);
    replicas.team.put('ops', team('ops', 'Ops'));
    await elapse('2026-01-05T08:00:02.000Z');
    expect((await store.events()).at(-1)).toMatchObject({
      state: { responders: [{ type: 'team', id: 'ops' }], cycle: 2 },
    });
  });

  it('is retried when the database is unavailable before its transaction', async () => {
    const { commands, store } = await setUp();
    store.tinyIds.reserve = () => Promise.reject(new UnavailableError('unavailable'));
    expect(await commands.process([batchOf([create('disk')])])).toMatchObject({
      outcome: 'retry',
    });
  });

  it('fails with the error of the preparation, so that the consumer halves it', async () => {
    const { commands, store } = await setUp();
    store.tinyIds.reserve = () => Promise.reject(new TypeError('no such thing'));
    await expect(commands.process([batchOf([create('disk')])])).rejects.toThrow(TypeError);
  });

  it('buries a command with a failed status that names the reason', async () => {
    const { commands, store } = await setUp();
    const command = acknowledge(byAlias('disk'));
    const [record] = batchOf([command]).records;
    const deadLetter = { topic: 'alert-commands.v1', partition: 0, clusterId: 'c', ...record };
    expect(await commands.deadLetter(deadLetter as never, 'too odd')).toEqual({ outcome: 'done' });
    expect(await store.statuses.find([command.requestId])).toMatchObject([
      { success: false, action: 'Acknowledge', status: 'Could not be processed: too odd' },
    ]);
  });
});

const decisionProcessor = (log: Pick<DecisionStore, 'append'>) =>
  new StagedProcessor(decisionsIntoLogs(log), idempotentWrites);

describe('a batch of decisions', () => {
  const decision: Decision = {
    decisionId: 'route:1',
    alertId: 'alert-1',
    stage: 'route',
    at: '2026-01-05T08:00:00.000Z',
    findings: [{ subject: 'on-call', outcome: 'no-recipient', text: 'No user is on call' }],
  };
  const record = { offset: 0, key: 'alert-1', timestampMs: 0, value: decision };
  const batch = { topic: Decisions.name, partition: 0, clusterId: 'c', records: [record] };

  it('reaches the log of its alert once, even before the alert is known and however often it comes', async () => {
    const { store } = await setUp();
    const processor = decisionProcessor(store.decisionLog);
    expect(await processor.process([batch])).toEqual({ outcome: 'done' });
    expect(await processor.process([batch])).toEqual({ outcome: 'done' });
    const logs = await store.alerts.logs({ alertId: 'alert-1', order: 'asc', after: undefined, limit: 10 });
    expect(logs).toMatchObject([{ log: 'No user is on call', type: 'system' }]);
  });

  it('is retried when it can not be written', async () => {
    const unavailable = { append: () => Promise.reject(new UnavailableError('unavailable')) };
    expect(await decisionProcessor(unavailable).process([batch])).toMatchObject({ outcome: 'retry' });
  });

  it('continues after one that can not be read', async () => {
    const { store } = await setUp();
    const processor = decisionProcessor(store.decisionLog);
    const unread = { ...record, value: undefined, topic: Decisions.name, partition: 0, clusterId: 'c' };
    expect(await processor.deadLetter(unread, 'no decision')).toEqual({ outcome: 'done' });
  });
});
