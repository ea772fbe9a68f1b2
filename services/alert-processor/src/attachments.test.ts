import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import request, { type Response } from 'supertest';
import { ATTACHMENT_LIMITS } from '@tocsin/contracts';
import { PRINCIPAL_HEADER, type Principal } from '@tocsin/key-auth';
import { accountKey } from '@tocsin/testing';
import { setUp, type Component } from './component-fixture.contract.ts';
import { byAlias, close, create, order } from './domain/commands.samples.ts';

const PATH = '/v2/alerts/disk/attachments';
const BY_ALIAS = '?alertIdentifierType=alias';
const MINUTE_MS = 60_000;
const INTEGRATION = { id: 'integration-1', name: 'Default API', type: 'API' };

interface Sent {
  readonly path?: string;
  readonly name?: string;
  readonly bytes?: Buffer;
  readonly fields?: Record<string, string>;
  readonly principal?: Partial<Principal>;
}

/** The service with one alert, `disk`. */
async function withAlert(): Promise<Component> {
  const component = setUp();
  await component.settle(create('disk', { integration: { ...INTEGRATION, ownerTeamId: 'red' } }));
  return component;
}

async function attach({ app, vouched }: Component, sent: Sent = {}): Promise<Response> {
  const { path = PATH + BY_ALIAS, name = 'a.txt', bytes = Buffer.from('hello'), fields = {}, principal } = sent;
  const upload = request(app).post(path);
  void upload.set(await vouched({ ...accountKey, ...principal }));
  for (const [field, value] of Object.entries(fields)) void upload.field(field, value);
  return upload.attach('file', bytes, { filename: name, contentType: 'text/plain' });
}

const idOf = (answer: Response): string => (answer.body as { data: { id: string } }).data.id;
const dataOf = (answer: Response): unknown => (answer.body as { data: unknown }).data;

async function logsOf({ get }: Component): Promise<unknown[]> {
  return dataOf(await get('/v2/alerts/disk/logs?identifierType=alias&order=asc')) as unknown[];
}

/** Opens a link as anybody does. */
async function follow({ app, vouched, get }: Component, id: string, change = (url: string) => url): Promise<Response> {
  const { url } = dataOf(await get(`${PATH}/${id}${BY_ALIAS}`)) as { url: string };
  return request(app)
    .get(change(url).replace('https://alerts.example.com', ''))
    .set(await vouched({ service: 'gateway' }));
}

describe('a file of an alert (A13)', () => {
  it('is attached under a decimal id, which the list answers as a number', async () => {
    const component = await withAlert();
    const answers = [await attach(component), await attach(component, { name: 'Größe 🔥.png' })];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0]?.body).toMatchObject({ result: 'Created', data: { id: '1' } });
    expect(dataOf(await component.get(PATH + BY_ALIAS))).toEqual([
      { id: 1, name: 'a.txt' },
      { id: 2, name: 'Größe 🔥.png' },
    ]);
  });

  it.each([['alertIdentifierType=alias'], ['identifierType=alias'], ['alertIdentifierType=ALIAS&identifierType=id']])(
    'is found by the alias with %s',
    async (query) => {
      const component = await withAlert();
      expect((await attach(component, { path: `${PATH}?${query}` })).status).toBe(201);
    },
  );

  it('is found by id and tiny id, and on a closed alert', async () => {
    const component = await withAlert();
    const alert = await component.store.find(byAlias('disk'));
    await component.settle(close(byAlias('disk')));
    const path = (identifier: string) => `/v2/alerts/${identifier}/attachments`;
    expect((await attach(component, { path: path(alert?.id ?? '') })).status).toBe(201);
    const answer = await component.get(`${path(String(alert?.tinyId))}?alertIdentifierType=tiny`);
    expect(dataOf(answer)).toHaveLength(1);
    expect((await component.get(`${path('disk')}${BY_ALIAS}`)).status).toBe(404);
    expect((await component.get(`${path('disk')}?alertIdentifierType=colour`)).status).toBe(422);
  });

  it('is in the log of its alert, in the name of whoever did it', async () => {
    const component = await withAlert();
    await attach(component, { fields: { user: 'Ada', indexFile: 'index.html' } });
    await attach(component, { name: 'b.txt' });
    await component.send('delete', `${PATH}/1${BY_ALIAS}&user=Grace`);
    await component.send('delete', `${PATH}/2${BY_ALIAS}`, { user: 'Edsger' });
    expect((await logsOf(component)).slice(1)).toMatchObject([
      { log: 'Attachment [a.txt] added via API[Default API-Add Attachment]', type: 'alertAction', owner: 'Ada' },
      { log: 'Attachment [a.txt] removed via API[Default API-Delete Attachment]', owner: 'Grace' },
      { log: 'Attachment [b.txt] added via API[Default API-Add Attachment]', owner: 'Alert API' },
      { log: 'Attachment [b.txt] removed via API[Default API-Delete Attachment]', owner: 'Edsger' },
    ]);
  });

  it('is gone once it is deleted, and a second time it is not there', async () => {
    const component = await withAlert();
    const id = idOf(await attach(component));
    const removed = await component.send('delete', `${PATH}/${id}${BY_ALIAS}`);
    expect([removed.status, removed.body]).toMatchObject([200, { result: 'Deleted' }]);
    expect((await component.send('delete', `${PATH}/${id}${BY_ALIAS}`)).status).toBe(404);
    expect((await component.get(`${PATH}/${id}${BY_ALIAS}`)).status).toBe(404);
    expect(dataOf(await component.get(PATH + BY_ALIAS))).toEqual([]);
    expect(await component.store.attachments.sweep(component.clock.now(), 10)).toBe(1);
  });

  it('goes with its alert', async () => {
    const component = await withAlert();
    await attach(component);
    await component.settle(order(byAlias('disk'), { kind: 'delete' }));
    expect(await component.store.attachments.find(1)).toBeUndefined();
    expect(await component.store.attachments.sweep(component.clock.now(), 10)).toBe(1);
  });

  it.each(['0', '-1', '1.5', 'x', '9'.repeat(30), '2'])('is not there under the id %s', async (id) => {
    const component = await withAlert();
    await attach(component);
    const answer = await component.get(`${PATH}/${id}${BY_ALIAS}`);
    expect([answer.status, answer.body]).toMatchObject([404, { message: 'Attachment does not exist' }]);
  });

  it('of another alert is not there', async () => {
    const component = await withAlert();
    await component.settle(create('other'));
    await attach(component);
    expect((await component.get(`/v2/alerts/other/attachments/1${BY_ALIAS}`)).status).toBe(404);
    expect((await component.send('delete', `/v2/alerts/other/attachments/1${BY_ALIAS}`)).status).toBe(404);
  });

  it('of an alert that a team key may not see is not there for it (K4)', async () => {
    const component = await withAlert();
    const [red, blue] = [{ teamId: 'red' }, { teamId: 'blue' }];
    expect((await attach(component, { principal: blue })).status).toBe(404);
    expect((await attach(component, { principal: red })).status).toBe(201);
    const statuses = async (principal: Partial<Principal>) => [
      (await component.get(PATH + BY_ALIAS, principal)).status,
      (await component.get(`${PATH}/1${BY_ALIAS}`, principal)).status,
      (await component.send('delete', `${PATH}/1${BY_ALIAS}`, undefined, principal)).status,
    ];
    expect(await statuses(blue)).toEqual([404, 404, 404]);
    expect(await statuses(red)).toEqual([200, 200, 200]);
  });

  it('can not be attached or deleted by a key that may only read (K3)', async () => {
    const component = await withAlert();
    expect((await attach(component, { principal: { mayWrite: false } })).status).toBe(403);
    expect((await component.send('delete', `${PATH}/1${BY_ALIAS}`, undefined, { mayWrite: false })).status).toBe(403);
  });
});

describe('a file that is refused', () => {
  it('because it is larger than 50 MB leaves nothing; one of 50 MB is taken', async () => {
    const component = await withAlert();
    const bytes = Buffer.alloc(ATTACHMENT_LIMITS.bytes + 1);
    const refused = await attach(component, { bytes });
    expect([refused.status, refused.body]).toMatchObject([413, { message: 'The file is larger than 50 MB.' }]);
    expect(component.store.attachments.found()).toEqual([]);
    expect((await attach(component, { bytes: bytes.subarray(1) })).status).toBe(201);
  }, 30_000);

  it('because the alert has 100 leaves nothing', async () => {
    const component = await withAlert();
    for (let count = 0; count < ATTACHMENT_LIMITS.files; count += 1) await attach(component);
    const refused = await attach(component);
    expect([refused.status, component.store.attachments.found().length]).toEqual([422, ATTACHMENT_LIMITS.files]);
  }, 30_000);

  it.each<[string, Sent, number, object]>([
    ['has a blank name', { name: ' ' }, 422, { errors: { file: 'should have a name of 1 to 255 characters' } }],
    ['has too long a name', { name: 'x'.repeat(256) }, 422, { errors: { file: expect.any(String) } }],
    ['is from too long a user', { fields: { user: 'x'.repeat(101) } }, 422, { errors: { user: expect.any(String) } }],
    ['is for an alert that is not there', { path: `/v2/alerts/none/attachments${BY_ALIAS}` }, 404, {}],
  ])('because it %s leaves nothing', async (_, sent, status, body) => {
    const component = await withAlert();
    const refused = await attach(component, sent);
    expect([refused.status, refused.body]).toMatchObject([status, body]);
    expect(component.store.attachments.found()).toEqual([]);
  });

  it('because it was not chosen in a browser, which sends an empty name, leaves nothing', async () => {
    const component = await withAlert();
    const refused = await request(component.app)
      .post(PATH + BY_ALIAS)
      .set(await component.vouched())
      .type('multipart/form-data; boundary=B')
      .send('--B\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\n\r\n--B--\r\n');
    expect([refused.status, refused.body]).toMatchObject([422, { errors: { file: expect.any(String) } }]);
    expect(component.store.attachments.found()).toEqual([]);
  });

  it('because there are two leaves nothing', async () => {
    const component = await withAlert();
    const refused = await request(component.app)
      .post(PATH + BY_ALIAS)
      .set(await component.vouched())
      .attach('file', Buffer.from('a'), 'a.txt')
      .attach('file', Buffer.from('b'), 'b.txt');
    expect([refused.status, refused.body]).toMatchObject([422, { errors: { file: 'should be one file' } }]);
    expect(component.store.attachments.found()).toEqual([]);
  });

  it('whatever its form is made of, is answered, and leaves nothing', async () => {
    const component = await withAlert();
    const headers = await component.vouched();
    const piece = fc.oneof(
      fc.constantFrom('\r\n--B\r\n', '\r\n--B--', '\r\n\r\n', 'Content-Disposition: form-data; name="file"'),
      fc.constantFrom('; filename="a"', '; name="__proto__"', 'Content-Type: multipart/mixed; boundary=C\r\n'),
      fc.string({ unit: 'binary', maxLength: 30 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
        const answer = await request(component.app)
          .post(PATH + BY_ALIAS)
          .set(headers)
          .type('multipart/form-data; boundary=B')
          .send(`--B\r\n${pieces.join('')}`);
        expect([201, 400, 422]).toContain(answer.status);
        const kept = component.store.attachments.found().filter(({ alertId }) => alertId === undefined);
        expect(kept).toEqual([]);
      }),
      { numRuns: 200 },
    );
  }, 30_000);

  it('because the body is no form is told so', async () => {
    const component = await withAlert();
    expect((await component.send('post', PATH + BY_ALIAS, { file: 'x' })).status).toBe(415);
    const none = await component.send('post', PATH + BY_ALIAS);
    expect([none.status, none.body]).toMatchObject([422, { errors: { file: 'should be provided' } }]);
  });

  it('because its alert went meanwhile leaves nothing', async () => {
    const component = await withAlert();
    const { attachments } = component.store;
    const keep = attachments.keep.bind(attachments);
    attachments.keep = async (...given) => {
      const id = await keep(...given);
      await component.settle(order(byAlias('disk'), { kind: 'delete' }));
      return id;
    };
    expect((await attach(component)).status).toBe(404);
    expect(attachments.found()).toEqual([]);
  });
});

describe('the link to a file (A13)', () => {
  it('gives the bytes without a key, under the name and type of the file', async () => {
    const component = await withAlert();
    const id = idOf(await attach(component, { name: 'b:2.txt', bytes: Buffer.from('the bytes') }));
    const answer = await follow(component, id);
    expect([answer.status, answer.text]).toEqual([200, 'the bytes']);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain',
      'content-disposition': 'attachment; filename=b_2.txt',
      'content-length': '9',
      'x-content-type-options': 'nosniff',
    });
    expect((await component.get(`${PATH}/${id}${BY_ALIAS}`)).body).toMatchObject({ data: { name: 'b:2.txt' } });
  });

  it('opens nothing after 15 minutes', async () => {
    const component = await withAlert();
    const id = idOf(await attach(component));
    const later = (ms: number) => (url: string) => {
      component.clock.advance(ms);
      return url;
    };
    expect((await follow(component, id, later(15 * MINUTE_MS - 1_000))).status).toBe(200);
    const expired = await follow(component, id, later(15 * MINUTE_MS));
    expect([expired.status, expired.body]).toMatchObject([
      404,
      { message: 'The link has expired. Please ask for a new one.' },
    ]);
  });

  it('that was changed opens nothing', async () => {
    const component = await withAlert();
    await attach(component);
    await attach(component);
    const forged = await follow(component, '1', (url) => url.replace('/1.', '/2.'));
    expect([forged.status, forged.body]).toMatchObject([404, { message: 'The link is not valid.' }]);
    expect((await follow(component, '1', () => '/v2/attachments/x')).status).toBe(404);
  });

  it('opens nothing once the file is deleted', async () => {
    const component = await withAlert();
    const id = idOf(await attach(component));
    const { url } = dataOf(await component.get(`${PATH}/${id}${BY_ALIAS}`)) as { url: string };
    await component.send('delete', `${PATH}/${id}${BY_ALIAS}`);
    const { app, vouched } = component;
    const answer = await request(app)
      .get(new URL(url).pathname)
      .set(await vouched({ service: 'gateway' }));
    expect([answer.status, answer.body]).toMatchObject([404, { message: 'Attachment does not exist' }]);
  });

  it('is passed on by the gateway alone', async () => {
    const { app } = await withAlert();
    const answer = await request(app).get('/v2/attachments/x').set(PRINCIPAL_HEADER, 'forged');
    expect(answer.status).toBe(401);
  });
});
