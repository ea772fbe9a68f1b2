import { describe, expect, it } from '@jest/globals';
import type { AlertCommand } from '@tocsin/events';
import { accountKey } from '@tocsin/testkit';
import request from 'supertest';
import { acknowledge, byAlias, close, create } from '../testing/commands-samples.ts';
import { setUp } from '../testing/component-fixture.ts';
import { condition, notifies } from '../testing/policy-rules-samples.ts';
import { MongoConfigurationStore } from '../policies/store.ts';

const hook = { preset: 'grafana' };
const disk = byAlias('disk');

async function open() {
  const component = await setUp();
  const { app, vouched } = component;
  const ask = async (
    commands: readonly AlertCommand[],
    more: object = {},
    caller: Parameters<typeof vouched>[0] = { service: 'alert-ingest' },
  ) =>
    request(app)
      .post('/internal/command-trials')
      .set(await vouched(caller))
      .send({ commands, holder: 'key-1', ...more });
  const tried = async (...given: Parameters<typeof ask>) => {
    const answer = (await ask(...given)).body as { readonly data: { readonly commands: readonly object[] } };
    return answer.data.commands;
  };
  return { ...component, ask, tried };
}

describe('commands that are tried (Q5)', () => {
  it('come to what they would if they were sent, one after the other, and write nothing', async () => {
    const { apply, connection, store, tried } = await open();
    await apply(create('disk'));
    const alert = await store.alerts.find(disk);
    const collections = [
      'alerts',
      'alert_logs',
      'alert_notes',
      'request_statuses',
      'counters',
      'outbox',
      'checkpoints',
    ];
    const stored = () => Promise.all(collections.map((name) => connection.collection(name).find().toArray()));
    const before = await stored();
    const commands = [
      create('fan', { hook }),
      create('fan', { hook }),
      create('disk', { hook }),
      create('disk', { hook, alert: { priority: 'P1' } }),
      acknowledge(disk, { hook }),
      close(disk, { hook }),
      close(disk, { hook }),
      create('disk', { hook, dropped: 'Ignored.' }),
    ];
    const shown = { id: alert?.id, tinyId: '1', status: 'open', acknowledged: false, priority: 'P3' };
    expect(await tried(commands)).toEqual([
      { requestId: commands[0]?.requestId, outcome: 'opened', status: 'Created alert' },
      { requestId: commands[1]?.requestId, outcome: 'counted', status: 'Created alert' },
      { requestId: commands[2]?.requestId, outcome: 'counted', status: 'Created alert', alert: shown },
      { requestId: commands[3]?.requestId, outcome: 'raised', status: 'Created alert', alert: shown },
      { requestId: commands[4]?.requestId, outcome: 'acknowledged', status: 'Acknowledged alert', alert: shown },
      { requestId: commands[5]?.requestId, outcome: 'closed', status: 'Closed alert', alert: shown },
      {
        requestId: commands[6]?.requestId,
        outcome: 'nothing-to-close',
        status: 'No open alert has the alias [disk]: nothing to close',
      },
      { requestId: commands[7]?.requestId, outcome: 'dropped', status: 'Ignored.' },
    ]);
    expect(await stored()).toEqual(before);
  });

  it('meet the policies of this moment, as a create does that settles', async () => {
    const { apply, connection, tried } = await open();
    const quiet = notifies(
      'Quiet',
      { suppress: true },
      { filter: { conditions: [condition('tags', 'contains', 'q')] } },
    );
    await new MongoConfigurationStore(connection).change(() => ({ policies: { put: [quiet] }, answer: undefined }));
    await apply(create('disk'));
    expect(await tried([create('disk', { hook, alert: { tags: ['q'], priority: 'P2' } })])).toMatchObject([
      { outcome: 'raised' },
    ]);
  });

  it('show no alert that the team of the caller may not see (K4)', async () => {
    const { apply, tried } = await open();
    await apply(create('disk'));
    const [counted] = await tried([create('disk', { hook })], { teamId: 'red' });
    expect(counted).toMatchObject({ outcome: 'counted' });
    expect(counted).not.toHaveProperty('alert');
  });

  it('are for services alone, ten at most, and have no outcome without a request of a tool', async () => {
    const { ask, tried } = await open();
    expect((await ask([], {}, accountKey)).status).toBe(403);
    expect((await ask(Array.from({ length: 11 }, () => create('disk', { hook })))).status).toBe(422);
    expect(await tried([create('disk')])).toEqual([]);
  });
});
