import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineRoute } from './index.ts';
import { service, scheduling } from './testing/service-app-samples.ts';

describe('a body (E2, E5)', () => {
  it.each(['application/json', 'application/json; charset=UTF-8', 'Application/JSON', 'application/vnd.api+json', ''])(
    'is read as JSON under the content type %p',
    async (type) => {
      const { send, inputs } = await service();
      await send('post', '/v2/alerts/x/close').send('{"note":"n"}').set('Content-Type', type).expect(202);
      expect(inputs[0]?.body).toEqual({ note: 'n' });
    },
  );

  it.each([undefined, '', 'application/json', 'text/plain'])(
    'may be absent where no field is required, with the content type %p',
    async (type) => {
      const { send, inputs } = await service();
      const request = send('post', '/v2/alerts/x/close');
      await (type === undefined ? request : request.set('Content-Type', type)).expect(202);
      expect(inputs[0]?.body).toEqual({});
    },
  );

  it('that is null is an absent one', async () => {
    const { send, inputs } = await service();
    await send('post', '/v2/alerts/x/close').type('json').serialize(String).send('null').expect(202);
    expect(inputs[0]?.body).toEqual({});
  });

  it.each(['{', '{"note":}', 'note=n', '{"note":"n"} x'])('that is not JSON is malformed: %s', async (text) => {
    const { send, inputs } = await service();
    const response = await send('post', '/v2/alerts/x/close').type('json').serialize(String).send(text).expect(400);
    expect(response.body).toMatchObject({ message: 'Request body is not valid JSON.' });
    expect(inputs).toEqual([]);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'of the type %s is not supported',
    async (type) => {
      const { send, inputs } = await service();
      await send('post', '/v2/alerts/x/close').set('Content-Type', type).serialize(String).send('{}').expect(415);
      expect(inputs).toEqual([]);
    },
  );

  it('over the length of its operation is too large, one of that length is not', async () => {
    const { send, inputs } = await service();
    const ofBytes = (bytes: number) => `{"pad":"${'x'.repeat(bytes - 10)}"}`;
    await send('post', '/v2/alerts/x/close').type('json').serialize(String).send(ofBytes(262_144)).expect(202);
    await send('post', '/v2/alerts/x/close').type('json').serialize(String).send(ofBytes(262_145)).expect(413);
    expect(inputs).toHaveLength(1);
  });

  it('of another service may be 1 MiB, with many values', async () => {
    const { send } = await service();
    const path = '/internal/teams/t/defaults';
    const body = JSON.stringify({
      teamName: 't',
      pad: 'x'.repeat(900_000),
      many: Array.from({ length: 20_000 }, () => 0),
    });
    expect((await send('put', path, scheduling).type('json').serialize(String).send(body)).status).toBe(200);
  });

  it.each([
    ['{"note":5}', { note: 'should be a string' }],
    ['{"tags":[{"name":"a"},{}]}', { 'tags[1].name': 'should be provided' }],
    ['{"tags":"a","note":[]}', { tags: 'should be an array', note: 'should be a string' }],
    ['[]', { body: 'should be an object' }],
    ['"x"', { body: 'should be an object' }],
  ])('with wrong fields names each once: %s (E4)', async (text, errors) => {
    const { send, inputs } = await service();
    const response = await send('post', '/v2/alerts/x/close').type('json').serialize(String).send(text).expect(422);
    expect(response.body).toMatchObject({
      message: 'Request body is not processable. Please check the errors.',
      errors,
    });
    expect(inputs).toEqual([]);
  });

  it('of a GET, or where the route wants none, is ignored', async () => {
    const bodies: unknown[] = [];
    const ignoring = [
      defineRoute({
        operation: 'count-alerts',
        body: z.object({}),
        handle: ({ body }) => {
          bodies.push(body);
          return Promise.resolve({ body: { data: { count: 0 } } });
        },
      }),
      defineRoute({
        operation: 'delete-team',
        handle: ({ body }) => {
          bodies.push(body);
          return Promise.resolve({ body: { result: 'Deleted' } });
        },
      }),
    ];
    const { send } = await service(ignoring);
    await send('get', '/v2/alerts/count').type('text').serialize(String).send('{').expect(200);
    await send('delete', '/v2/teams/x').type('text').serialize(String).send('{').expect(200);
    expect(bodies).toEqual([{}, undefined]);
  });
});
