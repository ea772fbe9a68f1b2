import { describe, expect, it } from '@jest/globals';
import { WebhookCommands } from '@tocsin/events';
import { acknowledge, addNote, byAlias, create, order } from '../testing/commands-samples.ts';
import { setUp, team } from '../testing/component-fixture.ts';
import { equals, webhook } from '../testing/webhook-samples.ts';

const disk = byAlias('disk');
const remove = () => order(disk, { kind: 'delete' });

describe('alerts for which an integration wants webhooks', () => {
  it('give webhook commands even without responders, but no events (F4)', async () => {
    const { integrations, apply, store } = await setUp();
    integrations.put('hook', webhook('hook'));
    await apply(
      create('disk', { note: 'first' }),
      addNote(disk, 'looking'),
      acknowledge(disk, { actor: 'ada@example.com' }),
    );
    expect(
      (await store.webhooks()).map(({ action, actor, integrationIds }) => [action, actor, integrationIds]),
    ).toEqual([
      ['Create', 'Alert API', ['hook']],
      ['Acknowledge', 'ada@example.com', ['hook']],
    ]);
    expect(await store.events()).toEqual([]);
    for (const command of await store.webhooks()) expect(WebhookCommands.schema.parse(command)).toEqual(command);
  });

  it('give webhook commands whose ids stay the same if they are processed again', async () => {
    const commands = [create('disk'), acknowledge(disk)];
    const process = async () => {
      const component = await setUp();
      component.integrations.put('hook', webhook('hook'));
      await component.apply(...commands);
      return { ...component, written: await component.store.webhooks() };
    };
    const [one, other] = [await process(), await process()];
    expect(other.written).toEqual(one.written);
    expect(new Set(one.written.map(({ commandId }) => commandId)).size).toBe(2);
    await other.apply(...commands);
    expect(await other.store.webhooks()).toHaveLength(2);
  });

  it('give webhook commands with the names of responders', async () => {
    const { integrations, replicas, apply, store } = await setUp();
    replicas.team.put('t1', team('t1', 'Ops'));
    integrations.put('hook', webhook('hook', { alertFilter: equals('teams', 'Ops') }));
    await apply(create('disk', { alert: { responders: [{ type: 'team', id: 't1' }] } }), create('web'));
    expect((await store.webhooks()).map(({ alert }) => alert.responders)).toEqual([
      [{ type: 'team', id: 't1', name: 'Ops' }],
    ]);
  });
});

describe('the webhook command for a deleted alert', () => {
  it('is written if there is any webhook, even if none wants it (A6)', async () => {
    const { integrations, apply, store } = await setUp();
    integrations.put('hook', webhook('hook'));
    await apply(create('disk'));
    await apply(remove());
    expect((await store.webhooks()).at(-1)).toMatchObject({ action: 'Delete', integrationIds: [], version: 2 });
  });
});

describe('without a webhook', () => {
  it('there are no webhook commands, and none after the only one is disabled', async () => {
    const { integrations, apply, store } = await setUp();
    await apply(create('disk'), remove());
    integrations.put('hook', webhook('hook'));
    integrations.put('hook', webhook('hook', { enabled: false }));
    await apply(create('web'));
    expect(await store.webhooks()).toEqual([]);
  });
});
