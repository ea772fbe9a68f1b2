import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineRoute } from './index.ts';
import { accountKey } from '@tocsin/testkit';
import { readOnly, scheduling, service, stranger, teamMember, UUID_V7 } from './testing/service-app-samples.ts';

describe('an operation', () => {
  it('is answered in the envelope: what the route says, took and the request id of the gateway (E1, E3)', async () => {
    const { send } = await service();
    const requestId = '01890a5d-ac96-774b-bcce-b302099a8057';
    const response = await send('post', '/v2/alerts/x/close').set('X-Request-ID', requestId).expect(202);
    expect(response.body).toEqual({
      result: 'Request will be processed',
      took: expect.any(Number),
      requestId,
    });
    expect((response.body as { took: number }).took).toBeGreaterThanOrEqual(0.001);
    expect(response.headers).toMatchObject({ 'x-request-id': requestId, 'x-extra': 'yes' });
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers['x-powered-by']).toBeUndefined();
  });

  it('gets an id, UUID v7, where none was given or it has no such form', async () => {
    const { send } = await service();
    for (const given of ['', 'nonsense']) {
      const response = await send('post', '/v2/alerts/x/close').set('X-Request-ID', given);
      expect(response.headers['x-request-id']).toMatch(UUID_V7);
      expect((response.body as { requestId: string }).requestId).toBe(response.headers['x-request-id']);
    }
  });

  it('gets the caller, its address and name, and the decoded path and query', async () => {
    const { send, inputs } = await service();
    await send('post', '/v2/alerts/a%2Fb+c/close/?identifierType=alias&identifierType=id&other=1', teamMember)
      .set('X-Forwarded-For', '203.0.113.9')
      .set('X-Tocsin-Public-Url', 'https://tocsin.example.com')
      .send({ note: 'done', unknown: true });
    expect(inputs).toEqual([
      {
        params: { identifier: 'a/b+c' },
        query: { identifierType: 'alias' },
        body: { note: 'done' },
        principal: teamMember,
        requestId: expect.stringMatching(UUID_V7),
        callerAddress: '203.0.113.9',
        headers: {},
        publicUrl: 'https://tocsin.example.com',
      },
    ]);
  });

  it('takes the connection for what the gateway does not say', async () => {
    const { send, inputs } = await service();
    await send('post', '/v2/alerts/x/close').set('Host', 'tocsin.local:8080');
    expect(inputs[0]).toMatchObject({ callerAddress: '127.0.0.1', publicUrl: 'http://tocsin.local:8080' });
  });

  it('repeats the status in the body where it is about integrations, and nowhere else (E1)', async () => {
    const create = defineRoute({
      operation: 'create-integration',
      handle: () =>
        Promise.resolve({ status: 201, body: { data: { id: 'i', name: 'n', enabled: true, type: 'API' } } }),
    });
    const { send } = await service([create]);
    expect((await send('post', '/v2/integrations').expect(201)).body).toMatchObject({ code: 201, data: { id: 'i' } });
    expect((await send('post', '/v2/alerts/x/close')).body).not.toHaveProperty('code');
  });

  it('is answered by one route at most', async () => {
    const handle = (): Promise<never> => Promise.reject(new Error());
    await expect(service([defineRoute({ operation: 'close-alert', handle })])).rejects.toThrow(
      'Two routes answer close-alert.',
    );
  });
});

describe('a caller', () => {
  it('without a valid signature is refused (K6)', async () => {
    const { send, inputs } = await service();
    const response = await send('post', '/v2/alerts/x/close', stranger).expect(401);
    expect(response.body).toMatchObject({ message: 'Could not authenticate' });
    expect(inputs).toEqual([]);
  });

  it('without the right is refused, the code first (E1, K3)', async () => {
    const { send, inputs } = await service();
    const response = await send('post', '/v2/alerts/x/close', readOnly).expect(403);
    expect(response.text).toMatch(/^\{"code":40301,"message":"To perform this action, use an API key/);
    expect(inputs).toEqual([]);
  });

  it('that is a service has no business with operations', async () => {
    const { send } = await service();
    expect((await send('post', '/v2/alerts/x/close', scheduling)).status).toBe(403);
  });
});

describe('a path', () => {
  it('that is documented and not built is not found, after the rights check', async () => {
    const { send } = await service();
    const response = await send('post', '/v2/alerts').expect(404);
    expect(response.body).toMatchObject({ message: 'No handler found' });
    await send('post', '/v2/alerts', readOnly).expect(403);
    await send('post', '/v2/alerts', stranger).expect(401);
  });

  it('that is not documented is not found', async () => {
    const { send } = await service();
    const response = await send('get', '/v1/incidents').expect(404);
    expect(response.body).toMatchObject({ message: 'No handler found' });
  });

  it('that does not take the method says which it takes', async () => {
    const { send } = await service();
    const response = await send('put', '/v2/alerts/x/close').expect(405);
    expect(response.headers['allow']).toBe('POST');
  });
});

describe('a query', () => {
  it('with a wrong value is refused, naming the parameter', async () => {
    const flat = defineRoute({
      operation: 'list-on-calls',
      query: z.object({ flat: z.enum(['true', 'false'], 'should be true or false') }),
      handle: () => Promise.resolve({ body: { data: [] } }),
    });
    const { send } = await service([flat]);
    const response = await send('get', '/v2/schedules/on-calls?flat=maybe').expect(422);
    expect(response.body).toMatchObject({ errors: { flat: 'should be true or false' } });
  });
});

describe('an internal route', () => {
  it('is not found by a path that can not be decoded, which is answered like every refusal', async () => {
    const { send } = await service();
    const response = await send('put', '/internal/teams/%E0%A4%A/defaults', scheduling).expect(400);
    expect(response.body).toMatchObject({ message: 'Path can not be decoded.', requestId: expect.any(String) });
  });

  it('answers a service, in the same envelope', async () => {
    const { send } = await service();
    const response = await send('put', '/internal/teams/a%20b/defaults?dry=yes', scheduling).send({ teamName: 'Ops' });
    expect(response.body).toMatchObject({
      data: { params: { teamId: 'a b' }, query: { dry: 'yes' }, body: { teamName: 'Ops' }, caller: 'scheduling' },
      requestId: expect.stringMatching(UUID_V7),
    });
  });

  it('is closed to keys and to strangers', async () => {
    const { send } = await service();
    for (const [caller, status] of [
      [accountKey, 403],
      [stranger, 401],
    ] as const) {
      expect((await send('put', '/internal/teams/x/defaults', caller).send({ teamName: 'Ops' })).status).toBe(status);
    }
  });

  it('refuses a wrong body like any other', async () => {
    const { send } = await service();
    const response = await send('put', '/internal/teams/x/defaults', scheduling).send({}).expect(422);
    expect(response.body).toMatchObject({ errors: { teamName: 'should be provided' } });
  });
});
