import { describe, expect, it } from '@jest/globals';
import { setUp } from '../testing/component-fixture.ts';
import { byAlias, close, create, requestId } from '../testing/commands-samples.ts';

const ownRed = { integration: { id: 'i-2', name: 'Red', type: 'API', ownerTeamId: 'red' } };
const RED = { teamId: 'red' };

describe('GET /v2/alerts/requests/{requestId}', () => {
  const fetched = (id: string) => `/v2/alerts/requests/${id}`;

  it('answers how a processed request ended', async () => {
    const { get, apply } = await setUp();
    const command = create('disk');
    await apply(command);
    expect((await get(fetched(command.requestId))).body).toMatchObject({
      data: {
        success: true,
        isSuccess: true,
        action: 'Create',
        processedAt: '2026-01-05T08:00:01Z',
        integrationId: 'integration-1',
        status: 'Created alert',
        alertId: command.alert.alertId,
        alias: 'disk',
      },
    });
  });

  it('answers a failure with empty alertId and alias', async () => {
    const { get, apply } = await setUp();
    const command = close(byAlias('none'));
    await apply(command);
    expect((await get(fetched(command.requestId))).body).toMatchObject({
      data: {
        success: false,
        isSuccess: false,
        action: 'Close',
        status: 'Alert does not exist',
        alertId: '',
        alias: '',
      },
    });
  });

  it('waits for a fresh request to be processed', async () => {
    const { get, apply, whilePaused, pauses } = await setUp();
    const command = create('disk');
    whilePaused.push(
      () => Promise.resolve(),
      () => apply(command),
    );
    expect((await get(fetched(command.requestId))).status).toBe(200);
    expect(pauses()).toBe(2);
  });

  it('finds the status of a further item of a request of a tool', async () => {
    const { get, apply } = await setUp();
    const [first, last] = [`${requestId()}:1`, `${requestId()}:999`];
    await apply({ ...create('disk'), requestId: first }, { ...create('memory'), requestId: last });
    for (const id of [first, last])
      expect(await get(fetched(id))).toMatchObject({ status: 200, body: { data: { status: 'Created alert' } } });
  });

  it('answers 404 that says so when a fresh request is not processed within 2 s', async () => {
    const { get, pauses } = await setUp();
    const response = await get(fetched(requestId()));
    expect(response.status).toBe(404);
    expect(response.headers['x-opsgenie-errortype']).toBe('RequestNotProcessed');
    expect(response.body).toMatchObject({ message: 'Request not found. It might not be processed, yet.' });
    expect(pauses()).toBe(80);
  });

  it('answers 404 at once for an older request that has not been processed', async () => {
    const { get, pauses } = await setUp();
    const response = await get(fetched(requestId('2026-01-05T07:00:00.000Z')));
    expect(response.headers['x-opsgenie-errortype']).toBe('RequestNotProcessed');
    expect(pauses()).toBe(0);
  });

  it.each([
    ['older than statuses are kept', requestId('2025-12-29T07:59:59.000Z')],
    ['made in the future', requestId('2026-01-06T08:00:00.000Z')],
    ['of another making', '7c9e6679-7425-40de-944b-e07fc1f90ae7'],
    ['no id at all', 'latest'],
    ['an item before the first', `${requestId()}:0`],
    ['an item after the last', `${requestId()}:1000`],
  ])('answers a plain 404 for an id that is %s', async (_, id) => {
    const response = await (await setUp()).get(fetched(id));
    expect(response.status).toBe(404);
    expect(response.headers).not.toHaveProperty('x-opsgenie-errortype');
  });

  it('answers 404 to a key of another team', async () => {
    const { get, apply } = await setUp();
    const [foreign, own] = [create('a'), create('b', ownRed)];
    await apply(foreign, own);
    expect((await get(fetched(foreign.requestId), RED)).status).toBe(404);
    expect((await get(fetched(own.requestId), RED)).status).toBe(200);
  });
});
