import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { PRINCIPAL_HEADER } from '@tocsin/http';
import { attach, BY_ALIAS, dataOf, follow, idOf, PATH, withAlert } from '../testing/attachments-samples.ts';

const MINUTE_MS = 60_000;

describe('the link to a file (A13)', () => {
  it('opens the file without a key, with its name and type', async () => {
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

  it('that was tampered with opens nothing', async () => {
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

  it('is accepted from the gateway alone', async () => {
    const { app } = await withAlert();
    const answer = await request(app).get('/v2/attachments/x').set(PRINCIPAL_HEADER, 'forged');
    expect(answer.status).toBe(401);
  });
});
