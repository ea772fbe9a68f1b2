import { describe, expect, it } from '@jest/globals';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import request from 'supertest';
import { ATTACHMENT_LIMITS } from '@tocsin/api';
import { attach, BY_ALIAS, PATH, type Sent, withAlert } from '../testing/attachments-samples.ts';
import { byAlias, order } from '../testing/commands-samples.ts';

describe('a file that is refused', () => {
  it('because it is larger than 50 MB leaves nothing; one of 50 MB is accepted', async () => {
    const component = await withAlert();
    const bytes = Buffer.alloc(ATTACHMENT_LIMITS.bytes + 1);
    const refused = await attach(component, { bytes });
    expect([refused.status, refused.body]).toMatchObject([413, { message: 'The file is larger than 50 MB.' }]);
    expect(await component.store.files()).toEqual([]);
    expect((await attach(component, { bytes: bytes.subarray(1) })).status).toBe(201);
  });

  it('because the alert has 100 files leaves nothing', async () => {
    const component = await withAlert();
    for (let count = 0; count < ATTACHMENT_LIMITS.files; count += 1) await attach(component);
    const refused = await attach(component);
    expect([refused.status, (await component.store.files()).length]).toEqual([422, ATTACHMENT_LIMITS.files]);
  });

  it.each<[string, Sent, number, object]>([
    ['has a blank name', { name: ' ' }, 422, { errors: { file: 'should have a name of 1 to 255 characters' } }],
    ['has too long a name', { name: 'x'.repeat(256) }, 422, { errors: { file: expect.any(String) } }],
    ['is from too long a user', { fields: { user: 'x'.repeat(101) } }, 422, { errors: { user: expect.any(String) } }],
    ['is for an alert that is not there', { path: `/v2/alerts/none/attachments${BY_ALIAS}` }, 404, {}],
  ])('because it %s leaves nothing', async (_, sent, status, body) => {
    const component = await withAlert();
    const refused = await attach(component, sent);
    expect([refused.status, refused.body]).toMatchObject([status, body]);
    expect(await component.store.files()).toEqual([]);
  });

  it('because none was chosen in the browser, which sends an empty name, leaves nothing', async () => {
    const component = await withAlert();
    const refused = await request(component.app)
      .post(PATH + BY_ALIAS)
      .set(await component.vouched())
      .type('multipart/form-data; boundary=B')
      .send('--B\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\n\r\n--B--\r\n');
    expect([refused.status, refused.body]).toMatchObject([422, { errors: { file: expect.any(String) } }]);
    expect(await component.store.files()).toEqual([]);
  });

  it('because the form has two files leaves nothing', async () => {
    const component = await withAlert();
    const refused = await request(component.app)
      .post(PATH + BY_ALIAS)
      .set(await component.vouched())
      .attach('file', Buffer.from('a'), 'a.txt')
      .attach('file', Buffer.from('b'), 'b.txt');
    expect([refused.status, refused.body]).toMatchObject([422, { errors: { file: 'should be one file' } }]);
    expect(await component.store.files()).toEqual([]);
  });

  it('is answered and stores nothing, whatever its form contains', async () => {
    const component = await withAlert();
    const headers = await component.vouched();
    const piece = fc.oneof(
      fc.constantFrom('\r\n--B\r\n', '\r\n--B--', '\r\n\r\n', 'Content-Disposition: form-data; name="file"'),
      fc.constantFrom('; filename="a"', '; name="__proto__"', 'Content-Type: multipart/mixed; boundary=C\r\n'),
      fc.string({ unit: anyCodePoint, maxLength: 30 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
        const answer = await request(component.app)
          .post(PATH + BY_ALIAS)
          .set(headers)
          .type('multipart/form-data; boundary=B')
          .send(`--B\r\n${pieces.join('')}`);
        expect([201, 400, 422]).toContain(answer.status);
        const kept = (await component.store.files()).filter(({ alertId }) => alertId === null);
        expect(kept).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('because the body is no form is answered with that reason', async () => {
    const component = await withAlert();
    expect((await component.send('post', PATH + BY_ALIAS, { file: 'x' })).status).toBe(415);
    const none = await component.send('post', PATH + BY_ALIAS);
    expect([none.status, none.body]).toMatchObject([422, { errors: { file: 'should be provided' } }]);
  });

  it('because its alert was deleted meanwhile leaves nothing', async () => {
    const component = await withAlert();
    const { attachments } = component.store;
    const keep = attachments.keep.bind(attachments);
    attachments.keep = async (...given) => {
      const id = await keep(...given);
      await component.apply(order(byAlias('disk'), { kind: 'delete' }));
      return id;
    };
    expect((await attach(component)).status).toBe(404);
    expect(await component.store.files()).toEqual([]);
  });
});
