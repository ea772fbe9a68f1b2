import { describe, expect, it } from '@jest/globals';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();

interface Created {
  readonly id: string;
  readonly apiKey: string;
}

const create = (name: string) => system.api.create<Created>('/v2/integrations', { type: 'API', name });
const actionsOf = ({ id }: Created) => `/v2/integrations/${id}/actions`;

const holding = (word: string) => ({
  conditionMatchType: 'match-all-conditions',
  conditions: [{ field: 'message', not: false, operation: 'contains', expectedValue: word }],
});

describe('integration actions (part 1, 2.5; wire facts 5)', () => {
  it('list-integration-actions answers every group, with the default action of a new integration (P1)', async () => {
    const created = await create('Listed');
    expect(await system.api.read(actionsOf(created))).toMatchObject({
      _parent: { id: created.id, name: 'Listed', type: 'API', enabled: true },
      ignore: [],
      close: [],
      acknowledge: [],
      addNote: [],
      create: [{ type: 'create', message: '{{message}}', filter: { conditionMatchType: 'match-all' } }],
    });
  });

  it('create-integration-action answers 201 with all groups, 422 for a bad pattern, 403 to a team key', async () => {
    const created = await create('Added to');
    const action = { type: 'close', name: 'Close', alias: '{{alias}}', filter: holding('OK') };
    const { body } = await system.api.expect(201, 'POST', actionsOf(created), action);
    expect(body).toMatchObject({ data: { close: [action], create: [{ name: 'Create Alert' }] } });
    expect(
      (await system.api.request('POST', actionsOf(created), { ...action, alias: '{{message.extract(/(/)}}' })).status,
    ).toBe(422);
    expect((await system.api.as(created.apiKey).request('POST', actionsOf(created), action)).status).toBe(403);
  });

  it('replace-integration-actions replaces all groups, and a create then does what they say', async () => {
    const created = await create('Replaced');
    const { body } = await system.api.expect(200, 'PUT', actionsOf(created), {
      create: [
        {
          name: 'Make',
          alias: '{{details.host}}',
          message: '{{message.toUpperCase()}}',
          tags: ['made'],
          filter: holding('high'),
        },
      ],
      close: [{ name: 'End', alias: '{{details.host}}', filter: holding('OK') }],
    });
    expect(body).toMatchObject({ data: { ignore: [], create: [{ name: 'Make' }], close: [{ name: 'End' }] } });
    await system.settle();
    const api = system.api.as(created.apiKey);
    const host = system.scenario().name('db');
    const send = async (message: string) => {
      await api.expect(202, 'POST', '/v2/alerts', { message, details: { host } });
      await system.settle();
    };
    const alerts = async () => system.api.read<{ id: string }[]>('/v2/alerts?limit=1');
    await send('cpu high');
    const [made] = await alerts();
    expect(made).toMatchObject({ alias: host, message: 'CPU HIGH', tags: ['made'], status: 'open', count: 1 });
    await send('cpu higher');
    expect(await alerts()).toMatchObject([{ id: made?.id, count: 2 }]);
    await send('cpu OK');
    expect((await alerts()).filter(({ id }) => id !== made?.id)).toEqual([]);
    expect(await system.api.read(`/v2/alerts/${made?.id ?? ''}`)).toMatchObject({ status: 'closed' });
  });

  it('an ignored create settles naming its rule, and so does one for which there is no action (A8)', async () => {
    const created = await create('Ignoring');
    const settled = async (message: string) => {
      const { body } = await system.api.as(created.apiKey).expect(202, 'POST', '/v2/alerts', { message });
      await system.settle();
      return system.api.read(`/v2/alerts/requests/${String(body['requestId'])}`);
    };
    await system.api.expect(200, 'PUT', actionsOf(created), {
      ignore: [{ name: 'No tests', filter: holding('test') }],
      close: [{ name: 'End', filter: holding('OK') }],
    });
    expect(await settled('a test')).toMatchObject({
      success: true,
      isSuccess: true,
      action: 'Create',
      alertId: '',
      status: 'Ignored by action [No tests] of integration [Ignoring].',
    });
    expect(await settled('real')).toMatchObject({ success: true, status: expect.stringContaining('[Ignoring]') });
  });
});
