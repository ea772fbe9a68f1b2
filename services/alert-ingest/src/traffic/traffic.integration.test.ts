import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { TrafficCounter } from '@tocsin/core';
import { ACCOUNT, openService, TEAM, type TestService } from '../testing/app-fixture.ts';
import { integrationOf } from '../testing/integration-samples.ts';
import { TrafficStore } from './store.ts';

const GATEWAY = { service: 'gateway' } as const;
const NOW = '2026-01-08T08:30:00Z';

let service: TestService;

beforeEach(async () => {
  service = await openService();
  service.clock.moveTo(new Date(NOW));
  for (const id of ['a', 'b']) await service.store.insert(integrationOf(id));
});

const counts = (changes: object = {}) => ({
  integrationId: 'a',
  hour: '2026-01-08T08:00:00Z',
  writes: 5,
  alerts: 4,
  refused: 1,
  lastRequestAt: '2026-01-08T08:20:00Z',
  lastAlertAt: '2026-01-08T08:19:00Z',
  lastRefusal: { at: '2026-01-08T08:18:00Z', status: 422, operation: 'create-alert' },
  ...changes,
});

const report = async (source: string, ...reported: readonly object[]) =>
  (await service.call('post', '/internal/integrations/traffic', { source, counts: reported }, GATEWAY)).status;

const read = async (path: string, caller = ACCOUNT) =>
  service.call('get', `/v2/integrations/${path}`, undefined, caller);

describe('the traffic of an integration (P21)', () => {
  it('is the sum of what the processes have counted, by the hour', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    expect(
      await report(one, counts(), counts({ hour: '2026-01-08T07:00:00Z', writes: 1, alerts: 1, refused: 0 })),
    ).toBe(200);
    expect(await report(other, counts({ writes: 2, alerts: 2, refused: 0 }))).toBe(200);
    expect((await read('a/traffic')).body).toMatchObject({
      data: {
        integrationId: 'a',
        lastRequestAt: '2026-01-08T08:20:00Z',
        lastAlertAt: '2026-01-08T08:19:00Z',
        lastRefusal: { at: '2026-01-08T08:18:00Z', status: 422, operation: 'create-alert' },
        since: '2026-01-01T09:00:00Z',
        hours: [
          { from: '2026-01-08T07:00:00Z', writes: 1, alerts: 1, refused: 0 },
          { from: '2026-01-08T08:00:00Z', writes: 7, alerts: 6, refused: 1 },
        ],
      },
    });
  });

  it('is the same after a report that comes twice, or after a later one', async () => {
    const source = randomUUID();
    const refusal = { at: '2026-01-08T08:29:00Z', status: 429, operation: 'close-alert' };
    const later = counts({ writes: 9, lastRequestAt: '2026-01-08T08:29:00Z', lastRefusal: refusal });
    for (const each of [counts(), counts(), later, counts()]) await report(source, each);
    expect((await read('a/traffic')).body).toMatchObject({
      data: { lastRequestAt: '2026-01-08T08:29:00Z', lastRefusal: refusal, hours: [{ writes: 9, alerts: 4 }] },
    });
  });

  it('has the hours of seven days, without those in which the key only read', async () => {
    await report(
      randomUUID(),
      counts({ hour: '2026-01-01T08:00:00Z' }),
      counts({ hour: '2026-01-01T09:00:00Z' }),
      counts({ hour: '2026-01-02T09:00:00Z', writes: 0, alerts: 0, refused: 0 }),
    );
    expect((await read('a/traffic')).body).toMatchObject({ data: { hours: [{ from: '2026-01-01T09:00:00Z' }] } });
  });

  it('has no times where the integration was never used', async () => {
    expect((await read('b/traffic')).body).toMatchObject({
      data: { integrationId: 'b', since: '2026-01-01T09:00:00Z', hours: [] },
    });
    expect((await read('traffic')).body).toMatchObject({ data: [] });
  });

  it('is listed for those who may see the integration', async () => {
    await service.store.insert(integrationOf('c', { ownerTeam: { id: 'team-2', name: 'Other' } }));
    await report(randomUUID(), counts(), counts({ integrationId: 'c' }), counts({ integrationId: 'gone' }));
    expect((await read('traffic')).body).toMatchObject({ data: [{ integrationId: 'a' }, { integrationId: 'c' }] });
    expect((await read('traffic', TEAM)).body).toMatchObject({ data: [{ integrationId: 'a' }] });
    expect((await read('c/traffic', TEAM)).status).toBe(403);
    expect((await read('gone/traffic')).status).toBe(404);
  });

  it('is counted by services alone, and a report that is not valid changes nothing', async () => {
    const body = { source: randomUUID(), counts: [counts()] };
    expect((await service.call('post', '/internal/integrations/traffic', body)).status).toBe(403);
    expect(await report('no id', counts())).toBe(422);
    expect(await report(randomUUID(), counts(), counts({ writes: -1 }))).toBe(422);
    expect((await read('traffic')).body).toMatchObject({ data: [] });
  });
});

describe('the count of mails (P21)', () => {
  it('is stored, and stored the next time where the database refused it', async () => {
    const counter = new TrafficCounter();
    counter.count({ integrationId: 'b', at: new Date(NOW), effect: 'alert' });
    const refused = () => Promise.reject(new Error('unavailable'));
    await expect(counter.storeChanged(new Date(NOW), refused)).rejects.toThrow('unavailable');
    const store = new TrafficStore(service.connection);
    await counter.storeChanged(new Date(NOW), (counts) => store.store('mails', counts));
    expect((await read('b/traffic')).body).toMatchObject({
      data: { lastAlertAt: NOW, hours: [{ from: '2026-01-08T08:00:00Z', writes: 1, alerts: 1, refused: 0 }] },
    });
  });
});

describe('the findings about traffic, for scheduling (S17)', () => {
  const SCHEDULING = { service: 'scheduling' } as const;

  it('are those of each integration, errors first, and only services read them', async () => {
    service.clock.moveTo(new Date('2026-06-01T00:00:00Z'));
    const at = '2026-05-31T00:00:00Z';
    const lastRefusal = { at, status: 422, operation: 'create-alert' };
    await report(randomUUID(), counts({ integrationId: 'b', lastRequestAt: at, lastRefusal }));
    const { body } = await service.call('get', '/internal/readiness', undefined, SCHEDULING);
    expect(body).toMatchObject({
      data: [
        { kind: 'integration-refused', entity: { id: 'b' }, teamIds: ['team-1'] },
        { kind: 'integration-unused', entity: { id: 'a' } },
      ],
      isComplete: true,
    });
    expect((await service.call('get', '/internal/readiness')).status).toBe(403);
  });
});
