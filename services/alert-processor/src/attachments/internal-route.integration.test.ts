import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ATTACHMENT_LIMITS } from '@tocsin/api';
import { accountKey } from '@tocsin/testkit';
import { setUp, type Component } from '../testing/component-fixture.ts';
import { byAlias, create } from '../testing/commands-samples.ts';

const DAY_MS = 24 * 3_600_000;

const ingest = { service: 'alert-ingest' } as const;

/** Keeps a file like the mail listener does. */
async function keep(
  { app, vouched }: Component,
  {
    query = 'name=a.txt&type=text/plain',
    bytes = Buffer.from('hello'),
    caller = ingest,
    integrationId = 'mail-1',
  } = {},
) {
  return request(app)
    .post(`/internal/attachments?integrationId=${integrationId}&${query}`)
    .set(await vouched(caller))
    .type('application/octet-stream')
    .send(bytes);
}

const idOf = (answer: { body: unknown }): string => (answer.body as { data: { id: string } }).data.id;

async function logsOf({ get }: Component, alias: string): Promise<readonly string[]> {
  const answer = await get(`/v2/alerts/${alias}/logs?identifierType=alias&order=asc`);
  return (answer.body as { data: { log: string }[] }).data.map(({ log }) => log);
}

describe('a file that another service has kept (P13)', () => {
  it('is kept completely, under an increasing id', async () => {
    const component = await setUp();
    const [first, second] = [await keep(component), await keep(component)];
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ data: { id: expect.stringMatching(/^[1-9]\d*$/) } });
    expect(Number(idOf(second))).toBeGreaterThan(Number(idOf(first)));
  });

  it('is attached to the alert that a create makes or is folded into, and the log says so', async () => {
    const component = await setUp();
    const [one, other] = [idOf(await keep(component)), idOf(await keep(component, { query: 'name=b.png' }))];
    await component.apply(create('disk', { alert: { attachments: [one] } }));
    await component.apply(create('disk', { alert: { attachments: [other] } }));
    const alert = await component.store.alerts.find(byAlias('disk'));
    expect(await component.store.attachments.listOf(alert?.id ?? '')).toEqual([
      { id: Number(one), alertId: alert?.id, name: 'a.txt', type: 'text/plain', length: 5 },
      { id: Number(other), alertId: alert?.id, name: 'b.png', type: 'application/octet-stream', length: 5 },
    ]);
    const logs = await logsOf(component, 'disk');
    expect(logs.filter((log) => log.startsWith('Attachment'))).toEqual([
      'Attachment [a.txt] added via API[Default API-Create Alert]',
      'Attachment [b.png] added via API[Default API-Create Alert]',
    ]);
    component.clock.advance(2 * DAY_MS);
    expect(await component.store.attachments.sweep(component.clock.now(), 10)).toBe(0);
  });

  it('is left out if the files of mails to its integration use their whole quota', async () => {
    const component = await setUp();
    const leftOut = await keep(component, { integrationId: 'full' });
    expect(leftOut.status).toBe(200);
    expect(leftOut.body).not.toHaveProperty('data.id');
    expect(await component.store.files()).toEqual([]);
  });

  it('has a name without folders, control characters and marks that turn letters around', async () => {
    const component = await setUp();
    const name = encodeURIComponent('../../etc/in\u202evoice\u2066\u0007.txt');
    const id = idOf(await keep(component, { query: `name=${name}` }));
    await component.apply(create('disk', { alert: { attachments: [id] } }));
    expect(await logsOf(component, 'disk')).toContain(
      'Attachment [invoice.txt] added via API[Default API-Create Alert]',
    );
    expect((await keep(component, { query: `name=${encodeURIComponent('..\u202e')}` })).status).toBe(422);
  });

  it('is removed if its create is dropped', async () => {
    const component = await setUp();
    const id = idOf(await keep(component));
    await component.apply(create('disk', { dropped: 'ignored by a rule', alert: { attachments: [id] } }));
    expect(await component.store.attachments.sweep(component.clock.now(), 10)).toBe(1);
    await component.apply(create('disk', { alert: { attachments: [id] } }));
    expect(await logsOf(component, 'disk')).toContain('attachments: 1 were left out, they are kept no longer.');
  });

  it('is swept after a day if no create names it', async () => {
    const component = await setUp();
    const id = idOf(await keep(component));
    await component.apply(create('fan'));
    component.clock.advance(DAY_MS - 1);
    expect(await component.store.attachments.sweep(component.clock.now(), 10)).toBe(0);
    component.clock.advance(1);
    expect(await component.store.attachments.sweep(component.clock.now(), 10)).toBe(1);
    await component.apply(create('disk', { alert: { attachments: [id] } }));
    expect(await logsOf(component, 'disk')).toContain('attachments: 1 were left out, they are kept no longer.');
  });

  it('is attached to one alert only, and not to one with 100 files', async () => {
    const component = await setUp();
    const ids: string[] = [];
    for (let count = 0; count <= ATTACHMENT_LIMITS.files; count += 1) ids.push(idOf(await keep(component)));
    await component.apply(
      create('full', { alert: { attachments: ids } }),
      create('late', { alert: { attachments: ids } }),
    );
    const count = async (alias: string) =>
      (await component.store.attachments.listOf((await component.store.alerts.find(byAlias(alias)))?.id ?? '')).length;
    expect([await count('full'), await count('late')]).toEqual([100, 1]);
    const last = await component.get('/v2/alerts/full/logs?identifierType=alias&limit=1');
    expect(last.body).toMatchObject({ data: [{ log: 'attachments: 1 were left out, over 100.' }] });
  });

  it('may be 50 MB and not a byte more', async () => {
    const component = await setUp();
    const bytes = randomBytes(ATTACHMENT_LIMITS.bytes + 1);
    expect((await keep(component, { bytes: bytes.subarray(1) })).status).toBe(201);
    const refused = await keep(component, { bytes });
    expect([refused.status, (await component.store.files()).length]).toEqual([413, 1]);
  });

  it.each([
    ['without a name', 'type=text/plain', { name: 'Name can not be empty.' }],
    ['with a blank name', 'name=%20', { name: 'Name can not be empty.' }],
    ['with too long a name', `name=${'x'.repeat(256)}`, { name: 'should be at most 255 characters' }],
  ])('%s is refused', async (_, query, errors) => {
    const refused = await keep(await setUp(), { query });
    expect([refused.status, refused.body]).toMatchObject([422, { errors }]);
  });

  it('is accepted from services only', async () => {
    const { app, vouched } = await setUp();
    const refused = await request(app)
      .post('/internal/attachments?integrationId=mail-1&name=a')
      .set(await vouched(accountKey))
      .send('x');
    expect(refused.status).toBe(403);
  });
});
