import { describe, expect, it } from '@jest/globals';
import { batchOf } from '../testing/batch-samples.ts';
import { acknowledge, byAlias, byId, close, create, order, pagingCreate } from '../testing/commands-samples.ts';
import { failedStatus } from '../requests/request-status.ts';
import { applyCommands } from './apply-commands.ts';
import { listing, context } from '../testing/open-storage.ts';
import { removeAll } from '../testing/retention-samples.ts';
import { useStorage } from '../testing/mongo-fixture.ts';

const open = useStorage();
describe('the store of alerts', () => {
  it('reads back the written values', async () => {
    const { apply, reader } = await open();
    const command = create('disk', {
      integration: { id: 'i', name: 'Red', type: 'API', ownerTeamId: 'red' },
      alert: {
        responders: [
          { type: 'team', id: 'ops' },
          { type: 'user', id: 'unavailable' },
        ],
        visibleTo: [{ type: 'user', id: 'ada' }],
        details: { 'a.b': '1', $set: '2', __proto__x: '3' },
        tags: ['one', 'two'],
        actions: ['Restart'],
      },
    });
    await apply(command, acknowledge(byAlias('disk'), { actor: 'ada' }));
    const at = new Date('2026-01-05T08:00:00.000Z');
    const lookedUpAt = new Date('2026-01-05T08:00:02.000Z');
    expect(await reader.find(byId(command.alert.alertId))).toEqual({
      id: command.alert.alertId,
      tinyId: 1,
      alias: 'disk',
      status: 'open',
      message: 'Disk full',
      acknowledged: true,
      seen: true,
      snoozed: false,
      snoozedUntil: undefined,
      count: 1,
      owner: 'ada',
      source: '10.0.0.7',
      description: '',
      entity: '',
      priority: 'P3',
      tags: ['one', 'two'],
      actions: ['Restart'],
      details: { 'a.b': '1', $set: '2', __proto__x: '3' },
      responders: [{ type: 'team', id: 'ops' }],
      visibleTo: [{ type: 'user', id: 'ada' }],
      unresolved: { responders: [{ type: 'user', id: 'unavailable' }], visibleTo: [], attempt: 1, dueAt: lookedUpAt },
      ownerTeamId: 'red',
      integration: { id: 'i', name: 'Red', type: 'API' },
      report: { ackTimeMs: 0, acknowledgedBy: 'ada' },
      createdAt: at,
      updatedAt: at,
      lastOccurredAt: at,
      flowStartedAt: at,
      flow: { responders: 1 },
      cycle: 1,
      notifications: { kind: 'active' },
      hold: undefined,
      autoClose: undefined,
      autoRestart: undefined,
      version: 2,
      lastPosition: { ms: at.getTime(), nanos: 2 },
    });
  });

  it('deletes an alert with its notes and its log, and leaves others (A6)', async () => {
    const { apply, reader } = await open();
    const [command, other] = [create('disk', { note: 'n' }), create('fan', { note: 'n' })];
    const listing = { order: 'asc', after: undefined, limit: 10 } as const;
    await apply(command, other);
    await apply(order(byAlias('disk'), { kind: 'delete' }), create('disk'));
    const { alertId } = command.alert;
    expect(await reader.find(byId(alertId))).toBeUndefined();
    expect(await reader.find(byAlias('disk'))).toMatchObject({ count: 1 });
    expect(await reader.logs({ ...listing, alertId })).toEqual([]);
    expect(await reader.notes({ ...listing, alertId })).toEqual([]);
    expect(await reader.notes({ ...listing, alertId: other.alert.alertId })).toHaveLength(1);
  });

  it('finds an alert by id, by tiny id, and by alias while it is open', async () => {
    const { apply, reader } = await open();
    const command = create('disk');
    await apply(command);
    expect(await reader.find(byAlias('disk'))).toMatchObject({ tinyId: 1 });
    await apply(close(byAlias('disk')));
    expect(await reader.find(byAlias('disk'))).toBeUndefined();
    expect(await reader.find({ type: 'tiny', value: '1' })).toMatchObject({ status: 'closed' });
    expect(await reader.find(byId(command.alert.alertId))).toMatchObject({ status: 'closed' });
    expect(await reader.find({ type: 'tiny', value: 'x' })).toBeUndefined();
  });

  it('counts creates for an open alias across batches, and opens a new alert after the close', async () => {
    const { apply, reader, aliases } = await open();
    await apply(create('disk'), create('disk'));
    await apply(create('disk'), close(byAlias('disk')), create('disk'));
    expect(await reader.find({ type: 'tiny', value: '1' })).toMatchObject({ count: 3, status: 'closed' });
    expect(await reader.find(byAlias('disk'))).toMatchObject({ count: 1 });
    expect(await aliases({})).toEqual(['disk', 'disk']);
  });

  it('opens one alert per alias and scope, and counts in each scope on its own (A16)', async () => {
    const { apply, reader } = await open();
    const [red, blue] = ['red', 'blue'].map((ownerTeamId) => ({
      integration: { id: ownerTeamId, name: 'API', type: 'API', ownerTeamId },
    }));
    await apply(create('disk', red), create('disk'));
    await apply(create('disk', blue), create('disk', red), create('disk', red));
    const counts = async () => {
      const found = await Promise.all(['red', 'blue', undefined].map((team) => reader.find(byAlias('disk'), team)));
      return found.map((alert) => [alert?.ownerTeamId, alert?.count]);
    };
    expect(await counts()).toEqual([
      ['red', 3],
      ['blue', 1],
      [undefined, 1],
    ]);
    await apply(close(byAlias('disk'), red), close(byAlias('disk'), red));
    expect(await counts()).toEqual([
      [undefined, undefined],
      ['blue', 1],
      [undefined, 1],
    ]);
    await apply(close(byAlias('disk')), create('disk', red));
    expect(await counts()).toEqual([
      ['red', 1],
      ['blue', 1],
      ['red', 1],
    ]);
  });

  it('processes a batch once if it is delivered twice, whole or in part', async () => {
    const { apply, applyAt, reader, events } = await open();
    const [one, two, three] = [pagingCreate('disk'), create('disk'), create('disk')];
    await apply(one, two);
    expect(await applyAt(0, [one, two])).toEqual({ outcome: 'done' });
    expect(await applyAt(1, [two, three])).toEqual({ outcome: 'done' });
    expect(await reader.find(byAlias('disk'))).toMatchObject({ count: 3 });
    expect((await events()).flatMap(({ facts }) => facts.map(({ kind }) => kind))).toEqual(['created']);
  });

  it('processes a mail with a Message-ID once, also after the close of its alert, and names the first request (P10)', async () => {
    const { apply, reader, statuses } = await open();
    const mail = { key: 'm1', hasMessageId: true };
    const [first, again, late, other] = [
      create('disk', { mail }),
      create('disk', { mail }),
      create('disk', { mail, at: '2026-01-07T08:00:00.000Z' }),
      create('disk', { mail: { ...mail, key: 'm2' } }),
    ];
    await apply(first, again);
    expect(await reader.find(byAlias('disk'))).toMatchObject({ count: 1 });
    await apply(close(byAlias('disk')), late);
    expect(await reader.find(byAlias('disk'))).toBeUndefined();
    const found = await statuses.find([again.requestId, late.requestId]);
    expect(found.map(({ success, status, alertId }) => ({ success, status, alertId }))).toEqual(
      [1, 2].map(() => ({ success: true, status: `Repeated message of request ${first.requestId}`, alertId: '' })),
    );
    await apply(other);
    expect(await reader.find(byAlias('disk'))).toMatchObject({ count: 1 });
  });

  it('recognises a message of a tool that found nothing to close, also after its alias was opened (Q6)', async () => {
    const { apply, reader, statuses } = await open();
    const ok = () =>
      close(byAlias('disk'), { hook: { preset: 'cloudwatch' }, mail: { key: 'm1', hasMessageId: true } });
    const [first, again, last] = [ok(), ok(), ok()];
    await apply(first);
    await apply(create('disk'));
    await apply(again);
    await apply(last);
    expect(await reader.find(byAlias('disk'))).toMatchObject({ status: 'open' });
    const texts = (await statuses.find([again.requestId, last.requestId])).map(({ status }) => status);
    expect(texts).toEqual([1, 2].map(() => `Repeated message of request ${first.requestId}`));
  });

  it('recognises a mail without a Message-ID for 10 minutes, and not after the close of its alert (P10)', async () => {
    const { apply, reader, statuses } = await open();
    const mail = { key: 'm1', hasMessageId: false };
    const at = (time: string) => create('disk', { mail, at: `2026-01-05T${time}.000Z` });
    const commands = [at('08:00:00'), at('08:10:00'), at('08:10:01'), at('08:20:00'), at('08:20:01')];
    for (const command of commands) await apply(command);
    expect(await reader.find(byAlias('disk'))).toMatchObject({ count: 2 });
    await apply(close(byAlias('disk')));
    const afterClose = at('08:20:02');
    await apply(afterClose, at('08:20:03'));
    expect(await reader.find(byAlias('disk'))).toMatchObject({ id: afterClose.alert.alertId, count: 1 });
    const texts = new Map(
      (await statuses.find(commands.map(({ requestId }) => requestId))).map((one) => [one.requestId, one.status]),
    );
    expect(commands.map(({ requestId }) => texts.get(requestId))).toEqual([
      'Created alert',
      `Repeated message of request ${commands[0]?.requestId ?? ''}`,
      'Created alert',
      `Repeated message of request ${commands[2]?.requestId ?? ''}`,
      `Repeated message of request ${commands[2]?.requestId ?? ''}`,
    ]);
  });

  it('does not recognise a mail by a delivery that changed nothing', async () => {
    const { apply, reader } = await open();
    const mail = { key: 'm1', hasMessageId: true };
    await apply(create('disk', { mail, dropped: 'Ignored.' }), create('disk', { mail }), create('disk', { mail }));
    expect(await reader.find(byAlias('disk'))).toMatchObject({ count: 1 });
  });

  it("leaves today's alert open when an old close by alias is redelivered and its status is gone", async () => {
    const { apply, applyLate, reader, retained, statuses } = await open();
    const at = '2025-12-20T08:00:00.000Z';
    const old = [create('disk', { at }), close(byAlias('disk'), { at })] as const;
    await applyLate(new Date(at), ...old);
    await removeAll(retained, 'statuses', context.processedAt);
    await apply(create('disk'), ...old);
    expect(await reader.find(byAlias('disk'))).toMatchObject({ count: 1 });
    const found = await statuses.find(old.map(({ requestId }) => requestId));
    expect(found.map(({ success }) => success)).toEqual([false, false]);
    expect(await reader.list({ ...listing, sort: 'createdAt' })).toHaveLength(2);
  });

  it('refuses a command that came long after its caller was answered that it failed', async () => {
    const { ledger, apply, reader, statuses, aliases } = await open();
    await apply(create('disk'));
    const commands = [create('late'), close(byAlias('disk'))];
    const { records, ...batch } = batchOf(commands, 1);
    const late = records.map((record) => ({ ...record, late: true as const }));
    await ledger.apply([{ ...batch, records: late }], (given, stored) => applyCommands(given, stored, context));
    expect(await aliases({})).toEqual(['disk']);
    expect(await reader.find(byAlias('disk'))).toMatchObject({ status: 'open', version: 1 });
    const status = 'Too late: its caller was answered long before that it was not accepted';
    const found = await statuses.find(commands.map(({ requestId }) => requestId));
    expect(found.map((one) => [one.success, one.status])).toEqual([
      [false, status],
      [false, status],
    ]);
  });

  it('processes an old command whose dead letter is redriven', async () => {
    const { ledger, apply, applyAt, reader } = await open();
    await apply(create('disk'));
    const old = close(byAlias('disk'), { at: '2025-12-20T08:00:00.000Z' });
    const [record] = batchOf([old], 1).records;
    const deadLetter = { topic: 'alert-commands.v1', partition: 0, clusterId: 'cluster', ...record } as const;
    await ledger.deadLetter(deadLetter as never, failedStatus(old, 'too odd', context.processedAt));
    await applyAt(2, [old]);
    expect(await reader.find(byAlias('disk'))).toBeUndefined();
  });

  it('processes a request once if it was published twice', async () => {
    const { apply, reader } = await open();
    const command = create('disk');
    await apply(command, command);
    await apply(command);
    expect(await reader.find(byAlias('disk'))).toMatchObject({ count: 1 });
  });

  it('does nothing with a batch that begins above its position, and answers where to seek', async () => {
    const { apply, applyAt, aliases } = await open();
    await apply(create('a'));
    expect(await applyAt(5, [create('b')])).toEqual({ outcome: 'seek', offset: 1 });
    expect(await aliases({})).toEqual(['a']);
  });

  it('keeps the status of every request', async () => {
    const { apply, statuses } = await open();
    const [done, failed] = [create('disk'), close(byAlias('none'))];
    await apply(done, failed);
    const found = await statuses.find([done.requestId, failed.requestId, 'unknown']);
    expect(found).toHaveLength(2);
    expect(found.find(({ requestId }) => requestId === failed.requestId)).toEqual({
      requestId: failed.requestId,
      action: 'Close',
      success: false,
      status: 'Alert does not exist',
      alertId: '',
      alias: '',
      integrationId: 'integration-1',
      ownerTeamId: undefined,
      processedAt: context.processedAt,
    });
  });

  it('marks a command that is a dead letter as failed and moves past it', async () => {
    const { ledger, applyAt, statuses, aliases } = await open();
    const [poison, next] = [create('poison'), create('next')];
    const [record] = batchOf([poison]).records;
    const deadLetter = { topic: 'alert-commands.v1', partition: 0, clusterId: 'cluster', ...record } as const;
    const status = failedStatus(poison, 'too odd', context.processedAt);
    expect(await ledger.deadLetter(deadLetter as never, status)).toEqual({ outcome: 'done' });
    expect(await ledger.deadLetter(deadLetter as never, status)).toEqual({ outcome: 'done' });
    await applyAt(0, [poison, next]);
    expect(await statuses.find([poison.requestId])).toMatchObject([{ status: 'Could not be processed: too odd' }]);
    expect(await aliases({})).toEqual(['next']);
  });

  it('buries bytes that are not a command', async () => {
    const { ledger, applyAt, aliases } = await open();
    const unread = { offset: 0, key: undefined, timestampMs: 0, value: undefined };
    const record = { ...unread, topic: 'alert-commands.v1', partition: 0, clusterId: 'cluster' };
    expect(await ledger.deadLetter(record, undefined)).toEqual({ outcome: 'done' });
    await applyAt(1, [create('next')]);
    expect(await aliases({})).toEqual(['next']);
  });

  it('processes several partitions at once, or none of them if one is at another position', async () => {
    const { ledger, applyAt, aliases } = await open();
    let firstTinyId = 0;
    const together = (...batches: Parameters<typeof ledger.apply>[0]) =>
      ledger.apply(batches, (given, stored) =>
        applyCommands(given, stored, { ...context, firstTinyId: (firstTinyId += 10) }),
      );
    const [first, second] = [batchOf([create('one')], 0, 1), batchOf([close(byAlias('one')), create('two')], 0, 2)];
    await applyAt(0, [create('zero')]);
    expect(await together(first, second)).toMatchObject({ outcome: 'refused' });
    for (const alone of [first, second]) expect(await together(alone)).toEqual({ outcome: 'done' });
    expect((await aliases({})).toSorted()).toEqual(['one', 'two', 'zero']);
    const next = batchOf([create('three')], 1, 1);
    for (const elsewhere of [batchOf([create('four')], 7, 2), second])
      expect(await together(next, elsewhere)).toMatchObject({ outcome: 'refused' });
    expect(await aliases({})).toHaveLength(3);
    expect(await together(next, batchOf([create('four')], 2, 2))).toEqual({ outcome: 'done' });
    expect(await aliases({})).toHaveLength(5);
    expect(await applyAt(1, [create('five')])).toEqual({ outcome: 'done' });
  });

  it('publishes an event for each change of an alert with responders, in order (F4)', async () => {
    const { apply, events } = await open();
    await apply(pagingCreate('disk'), create('fan'), acknowledge(byAlias('disk')));
    await apply(close(byAlias('disk')), close(byAlias('fan')));
    const published = await events();
    expect(published.map(({ version, state }) => ({ version, status: state.status }))).toEqual([
      { version: 1, status: 'open' },
      { version: 2, status: 'open' },
      { version: 3, status: 'closed' },
    ]);
  });
});
