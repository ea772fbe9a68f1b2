import { describe, expect, it } from '@jest/globals';
import { AlertCommand } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import { signedIn } from '@tocsin/testkit';
import { published } from '../testing/published.ts';
import { ACCOUNT, openService } from '../testing/app-fixture.ts';

const ACTIONS = [
  ['acknowledge', 'acknowledge'],
  ['close', 'close'],
  ['notes', 'add-note'],
] as const;

describe.each(ACTIONS)('POST /v2/alerts/{identifier}/%s', (verb, kind) => {
  it('publishes the order under the identifier that was sent', async () => {
    const service = await openService();
    const path = `/v2/alerts/disk%20full/${verb}/?identifierType=alias`;
    const { status, body } = await service.call('post', path, { user: 'Ada', source: 'cli', note: 'on it' });
    expect(status).toBe(202);
    expect(body).not.toHaveProperty('data');
    expect(published(service)).toMatchObject({
      key: 'disk full',
      command: { kind, identifier: { type: 'alias', value: 'disk full' }, actor: 'Ada', source: 'cli', note: 'on it' },
    });
  });

  it.each([
    ['', 'id'],
    ['?identifierType=', 'id'],
    ['?identifierType=ID', 'id'],
    ['?identifierType=AlertID', 'id'],
    ['?identifierType=Tiny', 'tiny'],
    ['?identifierType=tinyID', 'tiny'],
    ['?identifierType=ALIAS', 'alias'],
  ])('reads %s as %s (E5)', async (query, type) => {
    const service = await openService();
    await service.call('post', `/v2/alerts/17/${verb}${query}`, { note: 'n' });
    expect(published(service).command.identifier).toEqual({ type, value: '17' });
  });

  it.each([
    [{ user: 'x'.repeat(101) }, '', 'user', 'should be at most 100 characters'],
    [{ source: 'x'.repeat(101) }, '', 'source', 'should be at most 100 characters'],
    [{ note: 'x'.repeat(25_001) }, '', 'note', 'should be at most 25000 characters'],
    [{}, '?identifierType=name', 'identifierType', 'should be one of [ id, tiny, alias ]'],
  ])('refuses %j%s naming %s', async (fields, query, key, said) => {
    const service = await openService();
    const { status, body } = await service.call('post', `/v2/alerts/17/${verb}${query}`, { note: 'n', ...fields });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { [key]: said } });
    expect(service.publisher.published).toEqual([]);
  });

  it('refuses an identifier longer than any alias', async () => {
    const { call } = await openService();
    const { status, body } = await call('post', `/v2/alerts/${'x'.repeat(513)}/${verb}`, { note: 'n' });
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { errors: { identifier: expect.any(String) } },
    });
  });

  it('answers 403 to a key that may only read, 503 when Kafka is unavailable', async () => {
    const service = await openService();
    const path = `/v2/alerts/17/${verb}`;
    expect((await service.call('post', path, { note: 'n' }, { ...ACCOUNT, mayWrite: false })).status).toBe(403);
    service.publisher.refuseWith(new UnavailableError('Kafka is unavailable.'));
    expect((await service.call('post', path, { note: 'n' })).status).toBe(503);
  });
});

describe('an empty body', () => {
  it.each(['acknowledge', 'close'])('is enough to %s (E5)', async (verb) => {
    const service = await openService();
    expect((await service.call('post', `/v2/alerts/17/${verb}`)).status).toBe(202);
    expect(published(service).command).toMatchObject({ actor: 'Alert API', source: '192.0.2.7' });
  });

  it.each(['acknowledge', 'close'])(
    'is what a blank user and source are as well, in a body that %ss (A3)',
    async (verb) => {
      const service = await openService();
      await service.call('post', `/v2/alerts/17/${verb}`, { user: ' ', source: '\n' });
      expect(published(service).command).toMatchObject({ actor: 'Alert API', source: '192.0.2.7' });
    },
  );

  it.each([{}, { note: '' }, { note: ' ' }, { note: null }])('is not enough for a note: %j', async (body) => {
    const { call } = await openService();
    const refused = await call('post', '/v2/alerts/17/notes', body);
    expect(refused).toMatchObject({ status: 422, body: { errors: { note: 'Note can not be empty.' } } });
  });
});

describe('a signed-in user', () => {
  const ada = signedIn();
  const console = { id: 'ada', name: 'Console', type: 'Web' };

  it.each(['acknowledge', 'close', 'unacknowledge'])(
    'is the actor of %s, whatever user the body names (K13)',
    async (verb) => {
      const service = await openService();
      expect((await service.call('post', `/v2/alerts/17/${verb}`, { user: 'Grace', note: 'n' }, ada)).status).toBe(202);
      expect(published(service).command).toMatchObject({ actor: 'ada@example.com', integration: console, note: 'n' });
    },
  );

  it('is the actor of a delete and of an alert that they create', async () => {
    const service = await openService();
    expect((await service.call('delete', '/v2/alerts/17?user=Grace', undefined, ada)).status).toBe(202);
    expect((await service.call('post', '/v2/alerts', { message: 'x', user: 'Grace' }, ada)).status).toBe(202);
    const commands = service.publisher.published.map(({ message }) => AlertCommand.parse(message));
    expect(commands).toMatchObject([
      { kind: 'delete', actor: 'ada@example.com', integration: console },
      { kind: 'create', actor: 'ada@example.com', integration: console },
    ]);
  });

  it.each(['observer', 'stakeholder'] as const)('who is %s acts on no alert (K11)', async (role) => {
    const service = await openService();
    expect((await service.call('post', '/v2/alerts/17/close', {}, signedIn({}, { role }))).status).toBe(403);
    expect(service.publisher.published).toEqual([]);
  });
});

describe('writes through one identifier', () => {
  it('are published in the order in which they were accepted (A14)', async () => {
    const { call, publisher } = await openService();
    await call('post', '/v2/alerts', { message: 'x', alias: 'disk' });
    await call('post', '/v2/alerts/disk/notes?identifierType=alias', { note: 'n' });
    await call('post', '/v2/alerts/disk/close?identifierType=alias');
    const commands = publisher.published.map(({ key, message }) => [key, AlertCommand.parse(message).kind]);
    expect(commands).toEqual([
      ['disk', 'create'],
      ['disk', 'add-note'],
      ['disk', 'close'],
    ]);
  });
});
