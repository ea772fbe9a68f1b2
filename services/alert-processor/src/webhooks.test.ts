import { describe, expect, it } from '@jest/globals';
import { WebhookCommands } from '@tocsin/contracts';
import { acknowledge, addNote, byAlias, create, order } from './testing/commands-samples.ts';
import { setUp, team } from './testing/component-fixture.ts';
import { equals, webhook } from './testing/webhook-samples.ts';

const disk = byAlias('disk');
const remove = () => order(disk, { kind: 'delete' });

describe('alerts for which an integration wants webhooks', () => {
  it('give webhook commands even without responders, but no events (F4)', async () => {
    const { integrations, settle, store } = setUp();
    integrations.put('hook', webhook('hook'));
    await settle(
      create('disk', { note: 'first' }),
      addNote(disk, 'looking'),
      acknowledge(disk, { actor: 'ada@example.com' }),
    );
    expect(store.webhooks.map(({ action, actor, integrationIds }) => [action, actor, integrationIds])).toEqual([
      ['Create', 'Alert API', ['hook']],
      ['Acknowledge', 'ada@example.com', ['hook']],
    ]);
    expect(store.events).toEqual([]);
    for (const command of store.webhooks) expect(WebhookCommands.schema.parse(command)).toEqual(command);
  });

  it('give webhook commands whose ids stay the same if they settle again', async () => {
    const [one, other] = [setUp(), setUp()];
    const commands = [create('disk'), acknowledge(disk)];
    for (const { integrations, settle } of [one, other]) {
      integrations.put('hook', webhook('hook'));
      await settle(...commands);
    }
    expect(one.store.webhooks).toEqual(other.store.webhooks);
    expect(new Set(one.store.webhooks.map(({ commandId }) => commandId)).size).toBe(2);
    await one.settle(...commands);
    expect(one.store.webhooks).toHaveLength(2);
  });

  it('give webhook commands with the names of responders', async () => {
    const { integrations, replicas, settle, store } = setUp();
    replicas.team.put('t1', team('t1', 'Ops'));
    integrations.put('hook', webhook('hook', { alertFilter: equals('teams', 'Ops') }));
    await settle(create('disk', { alert: { responders: [{ type: 'team', id: 't1' }] } }), create('web'));
    expect(store.webhooks.map(({ alert }) => alert.responders)).toEqual([[{ type: 'team', id: 't1', name: 'Ops' }]]);
  });
});

describe('the webhook command for a deleted alert', () => {
  it('is written if there is any webhook, even if none wants it (A6)', async () => {
    const { integrations, settle, store } = setUp();
    integrations.put('hook', webhook('hook'));
    await settle(create('disk'));
    await settle(remove());
    expect(store.webhooks.at(-1)).toMatchObject({ action: 'Delete', integrationIds: [], version: 2 });
  });
});

describe('without a webhook', () => {
  it('there are no webhook commands, and none after the only one is disabled', async () => {
    const { integrations, settle, store } = setUp();
    await settle(create('disk'), remove());
    integrations.put('hook', webhook('hook'));
    integrations.put('hook', webhook('hook', { enabled: false }));
    await settle(create('web'));
    expect(store.webhooks).toEqual([]);
  });
});
