import { describe, expect, it } from '@jest/globals';
import { ADA, added, CONTACTS, listed, newAlertSteps, versionOf, withAda } from '../testing/contact-fixture.ts';

describe('PATCH /v2/users/{userIdentifier}/contacts/{contactId}', () => {
  it('gives the contact another address, and the steps that use it with it', async () => {
    const app = await withAda();
    const id = await added(app);
    const { status, body } = await app.patch(`${CONTACTS}/${id}`, { to: ' 44-20 ' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ result: 'Updated', data: { id } });
    expect((await app.get(`${CONTACTS}/${id}`)).body).toMatchObject({ data: { id, method: 'sms', to: '44-20' } });
    expect(await newAlertSteps(app)).toContainEqual(['sms', '44-20', 5]);
  });

  it('changes nothing with the answer to a GET', async () => {
    const app = await withAda();
    const id = await added(app);
    await app.post(`${CONTACTS}/${id}/disable`, {});
    const [before, got] = [await versionOf(app), await app.get(`${CONTACTS}/${id}`)];
    const { data } = got.body as { data: object };
    expect((await app.patch(`${CONTACTS}/${id}`, data)).status).toBe(200);
    expect(await versionOf(app)).toBe(before);
    expect((await app.get(`${CONTACTS}/${id}`)).body).toMatchObject({ data });
  });

  it('takes its own address in another case, and answers 409 to that of another contact', async () => {
    const app = await withAda();
    const id = await added(app, { method: 'email', to: 'other@example.com' });
    expect((await app.patch(`${CONTACTS}/${id}`, { to: 'Other@example.com' })).status).toBe(200);
    expect((await app.get(`${CONTACTS}/${id}`)).body).toMatchObject({ data: { to: 'Other@example.com' } });
    expect((await app.patch(`${CONTACTS}/${id}`, { to: 'ADA@example.com' })).status).toBe(409);
  });

  it.each([
    [{}, 'Address can not be empty.'],
    [{ to: '' }, 'Address can not be empty.'],
    [{ to: ADA }, 'should be a country code, a hyphen and a number, such as 1-5551234567'],
  ])('answers 422 to %j, which changes nothing', async (change, sentence) => {
    const app = await withAda();
    const id = await added(app);
    const before = await versionOf(app);
    const { status, body } = await app.patch(`${CONTACTS}/${id}`, change);
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { to: sentence } });
    expect(await versionOf(app)).toBe(before);
  });

  it('answers 422 to an address with which the rules of the user would become too long', async () => {
    const app = await withAda();
    const [own] = await listed(app);
    const step = { contact: { method: 'email', to: ADA }, sendAfter: { timeAmount: 1 }, enabled: true };
    const steps = Array.from({ length: 600 }, () => step);
    const rule = { name: 'Loud', actionType: 'create-alert', enabled: true, steps };
    expect((await app.post(`/v2/users/${ADA}/notification-rules`, rule)).status).toBe(201);
    const to = `a@${'b'.repeat(998)}`;
    const { status, body } = await app.patch(`${CONTACTS}/${String(own?.['id'])}`, { to });
    expect([status, body]).toMatchObject([422, { message: expect.stringContaining('too long together') }]);
    expect((await listed(app))[0]).toMatchObject({ to: ADA });
  });
});

describe('DELETE /v2/users/{userIdentifier}/contacts/{contactId}', () => {
  it('takes the steps that use the contact along, and says so in the answer and the log', async () => {
    const app = await withAda();
    const id = await added(app);
    const { status, body } = await app.remove(`${CONTACTS}/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: 'Deleted',
      message: 'The steps that used the contact were deleted from: New Alert.',
    });
    expect(await newAlertSteps(app)).toEqual([['email', ADA, 0]]);
    expect((await app.get(`${CONTACTS}/${id}`)).status).toBe(404);
    expect(app.logged).toEqual([
      {
        message: 'steps were deleted with their contact',
        userId: expect.any(String),
        contactId: id,
        method: 'sms',
        rules: ['New Alert'],
        by: 'Default API',
      },
    ]);
  });

  it('says nothing more where no step used the contact', async () => {
    const app = await withAda();
    await added(app);
    const { body } = await app.remove(`${CONTACTS}/${await added(app, { method: 'sms', to: '1-2' })}`);
    expect(Object.keys(body as object).toSorted()).toEqual(['requestId', 'result', 'took']);
    expect(app.logged).toEqual([]);
  });
});

describe('POST /v2/users/{userIdentifier}/contacts/{contactId}/disable and /enable', () => {
  it('switch the contact off and on, with the reason while it is off, and repeated change nothing', async () => {
    const app = await withAda();
    const id = await added(app);
    for (const change of ['first', 'repeated']) {
      const { status, body } = await app.post(`${CONTACTS}/${id}/disable`, {});
      expect([change, status, body]).toMatchObject([change, 200, { result: 'Disabled', data: { id } }]);
    }
    const off = { enabled: false, disabledReason: 'Contact is disabled.' };
    expect((await app.get(`${CONTACTS}/${id}`)).body).toMatchObject({ data: { status: off } });
    const { body: expanded } = await app.get(`/v2/users/${ADA}?expand=contact`);
    expect(expanded).toMatchObject({ data: { userContacts: [{}, { contactMethod: 'sms', ...off }] } });
    expect(await versionOf(app)).toBe(3);
    const { status, body } = await app.post(`${CONTACTS}/${id}/enable`, { Id: id });
    expect([status, body]).toMatchObject([200, { result: 'Enabled', data: { id } }]);
    expect((await listed(app))[1]).toMatchObject({ status: { enabled: true } });
  });
});
