import { describe, expect, it } from '@jest/globals';
import { type KeyPrincipal } from '@tocsin/http';
import { signedIn } from '@tocsin/testkit';
import { attach, BY_ALIAS, dataOf, idOf, logsOf, PATH, withAlert } from '../testing/attachments-samples.ts';
import { byAlias, close, create, order } from '../testing/commands-samples.ts';

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
    const alert = await component.store.alerts.find(byAlias('disk'));
    await component.apply(close(byAlias('disk')));
    const path = (identifier: string) => `/v2/alerts/${identifier}/attachments`;
    expect((await attach(component, { path: path(alert?.id ?? '') })).status).toBe(201);
    const answer = await component.get(`${path(String(alert?.tinyId))}?alertIdentifierType=tiny`);
    expect(dataOf(answer)).toHaveLength(1);
    expect((await component.get(`${path('disk')}${BY_ALIAS}`)).status).toBe(404);
    expect((await component.get(`${path('disk')}?alertIdentifierType=colour`)).status).toBe(422);
  });

  it('is in the log of its alert, in the name of the user who added or removed it', async () => {
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

  it('is gone once it is deleted, and a second delete answers 404', async () => {
    const component = await withAlert();
    const id = idOf(await attach(component));
    const removed = await component.send('delete', `${PATH}/${id}${BY_ALIAS}`);
    expect([removed.status, removed.body]).toMatchObject([200, { result: 'Deleted' }]);
    expect((await component.send('delete', `${PATH}/${id}${BY_ALIAS}`)).status).toBe(404);
    expect((await component.get(`${PATH}/${id}${BY_ALIAS}`)).status).toBe(404);
    expect(dataOf(await component.get(PATH + BY_ALIAS))).toEqual([]);
    expect(await component.store.attachments.sweep(component.clock.now(), 10)).toBe(1);
  });

  it('is removed with its alert', async () => {
    const component = await withAlert();
    await attach(component);
    await component.apply(order(byAlias('disk'), { kind: 'delete' }));
    expect(await component.store.attachments.find(1)).toBeUndefined();
    expect(await component.store.attachments.sweep(component.clock.now(), 10)).toBe(1);
  });

  it.each(['0', '-1', '1.5', 'x', '9'.repeat(30), '2'])('is not found under the id %s', async (id) => {
    const component = await withAlert();
    await attach(component);
    const answer = await component.get(`${PATH}/${id}${BY_ALIAS}`);
    expect([answer.status, answer.body]).toMatchObject([404, { message: 'Attachment does not exist' }]);
  });

  it('of another alert is not found', async () => {
    const component = await withAlert();
    await component.apply(create('other'));
    await attach(component);
    expect((await component.get(`/v2/alerts/other/attachments/1${BY_ALIAS}`)).status).toBe(404);
    expect((await component.send('delete', `/v2/alerts/other/attachments/1${BY_ALIAS}`)).status).toBe(404);
  });

  it('of an alert that a team key may not see is not found (K4)', async () => {
    const component = await withAlert();
    const [red, blue] = [{ teamId: 'red' }, { teamId: 'blue' }];
    expect((await attach(component, { principal: blue })).status).toBe(404);
    expect((await attach(component, { principal: red })).status).toBe(201);
    const statuses = async (principal: Partial<KeyPrincipal>) => [
      (await component.get(PATH + BY_ALIAS, principal)).status,
      (await component.get(`${PATH}/1${BY_ALIAS}`, principal)).status,
      (await component.send('delete', `${PATH}/1${BY_ALIAS}`, undefined, principal)).status,
    ];
    expect(await statuses(blue)).toEqual([404, 404, 404]);
    expect(await statuses(red)).toEqual([200, 200, 200]);
  });

  it('is in the log in the name of the signed-in user who added or removed it (K13)', async () => {
    const component = await withAlert();
    const ada = signedIn();
    expect((await attach(component, { principal: ada, fields: { user: 'Grace' } })).status).toBe(201);
    expect((await component.send('delete', `${PATH}/1${BY_ALIAS}&user=Grace`, undefined, ada)).status).toBe(200);
    expect((await logsOf(component)).slice(1)).toMatchObject([
      { log: 'Attachment [a.txt] added via Web[Console-Add Attachment]', owner: 'ada@example.com' },
      { log: 'Attachment [a.txt] removed via Web[Console-Delete Attachment]', owner: 'ada@example.com' },
    ]);
    const observer = signedIn({}, { role: 'observer' });
    expect((await attach(component, { principal: observer })).status).toBe(403);
    expect((await component.get(PATH + BY_ALIAS, observer)).status).toBe(200);
  });

  it('can not be attached or deleted by a key that may only read (K3)', async () => {
    const component = await withAlert();
    expect((await attach(component, { principal: { mayWrite: false } })).status).toBe(403);
    expect((await component.send('delete', `${PATH}/1${BY_ALIAS}`, undefined, { mayWrite: false })).status).toBe(403);
  });
});
