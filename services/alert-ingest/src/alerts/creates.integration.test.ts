import { describe, expect, it, jest } from '@jest/globals';
import { TooLargeError, UnavailableError } from '@tocsin/core';
import type { Publisher } from '@tocsin/kafka';
import request from 'supertest';
import { published } from '../testing/published.ts';
import { ACCOUNT, openService, TEAM } from '../testing/app-fixture.ts';

const FIRST_ID = '00000000-0000-4000-8000-000000000001';

describe('POST /v2/alerts', () => {
  it('answers 202 in the words that clients know, without data', async () => {
    const service = await openService();
    const { status, body } = await service.call('post', '/v2/alerts', { message: 'Disk full' });
    expect(status).toBe(202);
    expect(Object.keys(body as object).sort()).toEqual(['requestId', 'result', 'took']);
    expect(body).toMatchObject({ result: 'Request will be processed' });
  });

  it('publishes the whole alert with every default (A1, A3)', async () => {
    const service = await openService();
    const { body } = await service.call('post', '/v2/alerts/', { message: 'Disk full' });
    expect(published(service)).toEqual({
      key: FIRST_ID,
      command: {
        kind: 'create',
        requestId: (body as { requestId: string }).requestId,
        identifier: { type: 'id', value: FIRST_ID },
        integration: { id: 'integration-1', name: 'Default API', type: 'API' },
        actor: 'Alert API',
        source: '192.0.2.7',
        acceptedAt: '2026-01-01T00:00:00.000Z',
        alert: {
          alertId: FIRST_ID,
          alias: FIRST_ID,
          message: 'Disk full',
          description: '',
          responders: [],
          visibleTo: [],
          actions: [],
          tags: [],
          details: {},
          entity: '',
          priority: 'P3',
        },
      },
    });
  });

  it('publishes everything that a body can say, keyed by its alias', async () => {
    const service = await openService();
    await service.call('post', '/v2/alerts', {
      message: 'Disk full',
      alias: 'disk',
      description: 'of db-1',
      responders: [
        { type: 'Team', name: 'Ops' },
        { type: 'user', username: 'ada@example.com', id: '', name: '' },
        { type: 'user', name: 'grace@example.com' },
        { type: 'schedule', id: 'schedule-1', name: 'Nights' },
        { type: 'escalation', name: 'All hands' },
      ],
      visibleTo: [{ type: 'team', id: 'team-2' }],
      actions: ['Restart'],
      tags: ['db', ''],
      details: { rack: 'b2', slot: 7, spare: false, gone: null },
      entity: 'db-1',
      source: 'probe',
      priority: 'p1',
      user: 'Ada',
      note: 'first note',
      unknown: { is: 'ignored' },
    });
    const { key, command } = published(service);
    expect(key).toBe('disk');
    expect(command).toMatchObject({
      identifier: { type: 'alias', value: 'disk' },
      actor: 'Ada',
      source: 'probe',
      note: 'first note',
      alert: {
        alias: 'disk',
        responders: [
          { type: 'team', name: 'Ops' },
          { type: 'user', name: 'ada@example.com' },
          { type: 'user', name: 'grace@example.com' },
          { type: 'schedule', id: 'schedule-1', name: 'Nights' },
          { type: 'escalation', name: 'All hands' },
        ],
        visibleTo: [{ type: 'team', id: 'team-2' }],
        actions: ['Restart'],
        tags: ['db', ''],
        details: { rack: 'b2', slot: '7', spare: 'false' },
        priority: 'P1',
      },
    });
  });

  it('keeps every digit of the numbers in details', async () => {
    const service = await openService();
    const { rawJSON } = JSON as unknown as { readonly rawJSON: (json: string) => unknown };
    const details = { id: rawJSON('12345678901234567890'), version: rawJSON('1.10') };
    const kept = { id: '12345678901234567890', version: '1.10' };
    await service.call('post', '/v2/alerts', { message: 'Disk full', details });
    expect(published(service).command).toMatchObject({ alert: { details: kept } });
    const other = await openService();
    await other.call('post', '/v2/alerts/17/details', { details });
    expect(published(other).command).toMatchObject({ details: kept });
  });

  it('keeps words and details that are called like what every object has', async () => {
    const service = await openService();
    const alert = { tags: ['__proto__', 'constructor'], details: { constructor: 'a', toString: 'b' } };
    await service.call('post', '/v2/alerts', { message: 'Disk full', ...alert });
    expect(published(service).command).toMatchObject({ alert });
  });

  it.each(['', ' \t'])('takes null for absent, and %j as alias, source, user or note (E5, E12)', async (blank) => {
    const service = await openService();
    const nothing = {
      alias: blank,
      source: blank,
      user: blank,
      note: blank,
      priority: null,
      tags: null,
      details: null,
    };
    const body = { message: 'Disk full', ...nothing, responders: null, teams: null, entity: null, description: null };
    expect((await service.call('post', '/v2/alerts', body)).status).toBe(202);
    const { command } = published(service);
    expect(command).toMatchObject({ actor: 'Alert API', source: '192.0.2.7', alert: { alias: FIRST_ID } });
    expect(command).not.toHaveProperty('note');
  });

  it('pages the union of responders and teams, each once (A10)', async () => {
    const service = await openService();
    await service.call('post', '/v2/alerts', {
      message: 'Disk full',
      responders: [
        { type: 'team', name: 'Ops' },
        { type: 'team', id: 'team-2' },
      ],
      teams: [{ name: 'Ops' }, { id: 'team-3' }],
    });
    expect(published(service).command).toMatchObject({
      alert: {
        responders: [
          { type: 'team', name: 'Ops' },
          { type: 'team', id: 'team-2' },
          { type: 'team', id: 'team-3' },
        ],
      },
    });
  });

  it('gives the alert of a team key to that team, also where the body names another team (K4)', async () => {
    const service = await openService();
    await service.call('post', '/v2/alerts', { message: 'x', teams: [{ name: 'Others' }] }, TEAM);
    expect(published(service).command).toMatchObject({
      integration: { ownerTeamId: 'team-1' },
      alert: { responders: [{ type: 'team', id: 'team-1' }] },
    });
  });

  it('answers 403 to a key that may only read, and publishes nothing (K3)', async () => {
    const service = await openService();
    const { status, body } = await service.call(
      'post',
      '/v2/alerts',
      { message: 'x' },
      { ...ACCOUNT, mayWrite: false },
    );
    expect({ status, body }).toMatchObject({ status: 403, body: { code: 40301 } });
    expect(service.publisher.published).toEqual([]);
  });

  it('answers 401 to a caller without a signed principal (K6)', async () => {
    const { app } = await openService();
    expect((await request(app).post('/v2/alerts').send({ message: 'x' })).status).toBe(401);
  });

  it('answers 503 when the command is not on Kafka, 413 when it is too large for it', async () => {
    const service = await openService();
    service.publisher.refuseWith(new UnavailableError('Kafka is unavailable.'));
    const refused = await service.call('post', '/v2/alerts', { message: 'x' });
    expect(refused.status).toBe(503);
    expect(refused.headers).toHaveProperty('retry-after');
    service.publisher.refuseWith(new TooLargeError('Too large.'));
    expect((await service.call('post', '/v2/alerts', { message: 'x' })).status).toBe(413);
  });

  it('gives Kafka less than the two seconds that a caller may have to wait (F3)', async () => {
    const service = await openService();
    const publisher: Publisher = service.publisher;
    const publish = jest.spyOn(publisher, 'publish');
    await service.call('post', '/v2/alerts', { message: 'x' });
    await service.call('post', '/v2/alerts/x/close');
    const deadlines = publish.mock.calls.map(([, , options]) => options?.deadlineMs);
    expect(deadlines).toEqual([1_400, 1_400]);
  });
});
