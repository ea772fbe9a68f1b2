import { describe, expect, it } from '@jest/globals';
import { Decisions, type Decision } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { batchOf } from '../testing/batch-samples.ts';
import { setUp, team } from '../testing/component-fixture.ts';
import { acknowledge, byAlias, create, DUTY, pagingCreate } from '../testing/commands-samples.ts';
import { alertCommandsHandler } from './alert-commands-handler.ts';
import { decisionsHandler } from './decisions-handler.ts';

describe('a batch of alert commands', () => {
  it('settles, and its events carry the acceptance of their commands', async () => {
    const { commands, replicas, store } = setUp();
    replicas.user.put(DUTY.id, { id: DUTY.id, username: 'duty@example.com' } as never);
    const command = pagingCreate('disk');
    expect(await alertCommandsHandler(commands).settle(batchOf([command]))).toEqual({ outcome: 'done' });
    expect(store.events).toMatchObject([{ acceptedAt: command.acceptedAt, state: { alias: 'disk' } }]);
  });

  it('copies the traces of commands to their events', async () => {
    const { commands, replicas, store } = setUp();
    replicas.user.put(DUTY.id, { id: DUTY.id, username: 'duty@example.com' } as never);
    const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const traced = { ...pagingCreate('disk'), trace };
    expect(await alertCommandsHandler(commands).settle(batchOf([traced, pagingCreate('other')]))).toEqual({
      outcome: 'done',
    });
    expect(store.events.map((event) => event.trace)).toEqual([trace, undefined]);
    expect(store.events[1]).not.toHaveProperty('trace');
  });

  it('finds a team that was made a moment ago, and users whatever the case of their name', async () => {
    const { settle, replicas, store } = setUp();
    replicas.team.ownerHas('name', 'Ops', team('ops', 'Ops'));
    replicas.user.put('u1', { id: 'u1', username: 'ada@example.com' } as never);
    const responders = [
      { type: 'team', name: 'Ops' },
      { type: 'user', name: 'Ada@Example.com' },
      { type: 'user', id: 'u1' },
    ] as const;
    await settle(create('disk', { alert: { responders: [...responders] } }));
    expect(await store.find(byAlias('disk'))).toMatchObject({
      responders: [
        { type: 'team', id: 'ops' },
        { type: 'user', id: 'u1' },
      ],
    });
  });

  it('settles while the directory is away, and adds the responder once they are found', async () => {
    const { elapse, settle, replicas, store } = setUp();
    replicas.team.refuseWith(new UnavailableError('away'));
    const command = create('disk', { alert: { responders: [{ type: 'team', name: 'Ops' }] } });
    expect(await settle(command)).toEqual({ outcome: 'done' });
    replicas.team.refuseWith(undefined);
    replicas.team.put('ops', team('ops', 'Ops'));
    await elapse('2026-01-05T08:00:02.000Z');
    expect(store.events.at(-1)).toMatchObject({ state: { responders: [{ type: 'team', id: 'ops' }], cycle: 2 } });
  });

  it('is retried when the database is away before its transaction', async () => {
    const { commands, store } = setUp();
    store.tinyIds.reserve = () => Promise.reject(new UnavailableError('away'));
    expect(await alertCommandsHandler(commands).settle(batchOf([create('disk')]))).toMatchObject({ outcome: 'retry' });
  });

  it('is refused when it fails by a defect', async () => {
    const { commands, store } = setUp();
    store.tinyIds.reserve = () => Promise.reject(new TypeError('no such thing'));
    expect(await alertCommandsHandler(commands).settle(batchOf([create('disk')]))).toMatchObject({
      outcome: 'refused',
    });
  });

  it('buries a command with a failed status that names the reason', async () => {
    const { commands, store } = setUp();
    const command = acknowledge(byAlias('disk'));
    const [record] = batchOf([command]).records;
    const buried = { topic: 'alert-commands.v1', partition: 0, clusterId: 'c', ...record };
    expect(await alertCommandsHandler(commands).bury(buried as never, 'too odd')).toEqual({ outcome: 'done' });
    expect(await store.statuses.find([command.requestId])).toMatchObject([
      { success: false, action: 'Acknowledge', status: 'Could not be processed: too odd' },
    ]);
  });
});

describe('a batch of decisions', () => {
  const decision: Decision = {
    decisionId: 'route:1',
    alertId: 'alert-1',
    stage: 'route',
    at: '2026-01-05T08:00:00.000Z',
    verdicts: [{ subject: 'on-call', outcome: 'nobody', text: 'Nobody is on call' }],
  };
  const record = { offset: 0, key: 'alert-1', timestampMs: 0, value: decision };
  const batch = { topic: Decisions.name, partition: 0, clusterId: 'c', records: [record] };

  it('reaches the log of its alert once, even before the alert is known and however often it comes', async () => {
    const { store } = setUp();
    const handler = decisionsHandler(store.decisionLog);
    expect(await handler.settle(batch)).toEqual({ outcome: 'done' });
    expect(await handler.settle(batch)).toEqual({ outcome: 'done' });
    const logs = await store.logs({ alertId: 'alert-1', order: 'asc', after: undefined, limit: 10 });
    expect(logs).toMatchObject([{ log: 'Nobody is on call', type: 'system' }]);
  });

  it('is retried when it can not be written', async () => {
    const away = { append: () => Promise.reject(new UnavailableError('away')) };
    expect(await decisionsHandler(away).settle(batch)).toMatchObject({ outcome: 'retry' });
  });

  it('goes on after one that can not be read', async () => {
    const { store } = setUp();
    const handler = decisionsHandler(store.decisionLog);
    const unread = { ...record, value: undefined, topic: Decisions.name, partition: 0, clusterId: 'c' };
    expect(await handler.bury(unread, 'no decision')).toEqual({ outcome: 'done' });
  });
});
