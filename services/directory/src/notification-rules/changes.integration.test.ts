import { describe, expect, it } from '@jest/globals';
import { accountKey } from '../testing/app-fixture.ts';
import { ADA, mailStep, nights, RULES, rulesApp, type RulesApp, shifts } from '../testing/notification-rule-fixture.ts';

const teamKey = { ...accountKey, teamId: 'team' };

const three = async (): Promise<RulesApp & { readonly ids: Readonly<Record<'a' | 'b' | 'c', string>> }> => {
  const app = await rulesApp();
  const of = (name: string) => app.rule({ ...nights, actionType: 'incoming-call-routing', name });
  return { ...app, ids: { a: await of('a'), b: await of('b'), c: await of('c') } };
};
const inOrder = (names: string) => Array.from(names, (name, order) => [name, order]);

describe('PATCH /v2/users/{userIdentifier}/notification-rules/{ruleId}', () => {
  it('changes the fields of the body and keeps the rest', async () => {
    const { rule, patch, read } = await rulesApp();
    const id = await rule({ ...nights, repeat: { loopAfter: 3 }, steps: [mailStep] });
    const before = (await read(`${RULES}/${id}`)) as object;
    const { status, body } = await patch(`${RULES}/${id}`, { name: 'Late', actionType: 'add-note' });
    expect(status).toBe(200);
    const data = { id, name: 'Late', actionType: 'create-alert', order: 1, enabled: true };
    expect(body).toMatchObject({ result: 'Updated', data });
    expect(await read(`${RULES}/${id}`)).toEqual({ ...before, name: 'Late' });
  });

  it.each([
    ['a rule for alerts', { ...nights, repeat: { loopAfter: 3 }, criteria: { type: 'Match All' }, steps: [mailStep] }],
    ['a rule about shifts', { ...shifts, steps: [mailStep], timeRestriction: null }],
    ['a rule for each new user', undefined],
  ])('changes nothing of %s that is sent back as it was read, and announces nothing', async (_, body) => {
    const { rule, read, patch, version } = await rulesApp();
    const [first] = (await read(RULES)) as readonly { id: string }[];
    const path = `${RULES}/${body === undefined ? (first?.id ?? '') : await rule(body)}`;
    const [data, present] = [(await read(path)) as object, await version()];
    expect((await patch(path, data)).status).toBe(200);
    expect(await read(path)).toEqual(data);
    expect(await version()).toBe(present);
  });

  it.each([
    [{}, { loopAfter: 3, enabled: true }],
    [{ repeat: {} }, { loopAfter: 3, enabled: true }],
    [{ repeat: { loopAfter: 4, enabled: false } }, { loopAfter: 4, enabled: false }],
    [{ repeat: { enabled: false } }, undefined],
  ])('makes of %j the repeat %j', async (change, repeat) => {
    const { rule, patch, read } = await rulesApp();
    const id = await rule({ ...nights, repeat: { loopAfter: 3 } });
    await patch(`${RULES}/${id}`, change);
    expect(((await read(`${RULES}/${id}`)) as { repeat?: unknown }).repeat).toEqual(repeat);
  });

  it('replaces the steps, which keep their id where it is sent', async () => {
    const { rule, patch, read } = await rulesApp();
    const id = await rule({ ...nights, steps: [mailStep, mailStep] });
    const stepsOf = async () => ((await read(`${RULES}/${id}`)) as { steps: { id: string }[] }).steps;
    const [first, second] = await stepsOf();
    const steps = [{ ...mailStep, enabled: false }, second, second, { ...mailStep, id: 'made up' }];
    await patch(`${RULES}/${id}`, { steps });
    const ids = (await stepsOf()).map((step) => step.id);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(4);
    expect(ids[1]).toBe(second?.id);
    expect(ids).not.toContain(first?.id);
    expect(ids).not.toContain('made up');
    await patch(`${RULES}/${id}`, { steps: [] });
    expect(await stepsOf()).toEqual([]);
  });

  it.each([
    ['a', 2, 'bca'],
    ['c', 0, 'cab'],
    ['b', 99, 'acb'],
    ['b', 1, 'abc'],
  ] as const)('moves rule %s to place %i', async (name, order, names) => {
    const { ids, patch, places } = await three();
    expect((await patch(`${RULES}/${ids[name]}`, { order })).status).toBe(200);
    expect(await places('incoming-call-routing')).toEqual(inOrder(names));
  });

  it('answers 404 for a contact, a rule and a user that do not exist', async () => {
    const { rule, patch, version } = await rulesApp();
    const id = await rule();
    const steps = [{ ...mailStep, contact: { method: 'voice', to: '1-1' } }];
    expect((await patch(`${RULES}/${id}`, { steps })).body).toMatchObject({
      message: 'Contact does not exist with method: voice and to: 1-1',
    });
    expect((await patch(`${RULES}/none`, {})).status).toBe(404);
    expect((await patch(`/v2/users/unknown@example.com/notification-rules/${id}`, {})).status).toBe(404);
    expect(await version()).toBe(2);
  });

  it.each([
    ['steps[0].sendAfter', { steps: [{ ...mailStep, sendAfter: null }] }, 'should be provided'],
    ['order', { order: -1 }, 'should be a whole number of at least 0'],
    ['name', { name: 'é'.repeat(1_001) }, 'should be at most 1000 characters'],
  ])('answers 422 that names %s, and changes nothing', async (field, change, sentence) => {
    const { rule, patch, version } = await rulesApp();
    const id = await rule();
    const { status, body } = await patch(`${RULES}/${id}`, change);
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { [field]: sentence } });
    expect(await version()).toBe(2);
  });

  it('answers 403 to the key of a team', async () => {
    const { rule, patch } = await rulesApp();
    expect((await patch(`${RULES}/${await rule()}`, {}, teamKey)).status).toBe(403);
  });
});

describe('DELETE /v2/users/{userIdentifier}/notification-rules/{ruleId}', () => {
  it('removes the rule at once and closes the gap', async () => {
    const { ids, get, remove, places } = await three();
    const { status, body } = await remove(`${RULES}/${ids.b}`);
    expect([status, (body as { result: string }).result]).toEqual([200, 'Deleted']);
    expect((await get(`${RULES}/${ids.b}`)).status).toBe(404);
    expect((await remove(`${RULES}/${ids.b}`)).status).toBe(404);
    expect(await places('incoming-call-routing')).toEqual(inOrder('ac'));
  });
});

describe.each([
  ['enable', true, 'Enabled'],
  ['disable', false, 'Disabled'],
])('POST /v2/users/{userIdentifier}/notification-rules/{ruleId}/%s', (verb, enabled, result) => {
  it('answers with the id, and is the same when repeated', async () => {
    const { rule, post, read, version } = await rulesApp();
    const id = await rule({ ...shifts, enabled: !enabled });
    const { status, body } = await post(`${RULES}/${id}/${verb}`, {});
    expect([status, body]).toMatchObject([200, { result, data: { id } }]);
    expect(await read(`${RULES}/${id}`)).toMatchObject({ enabled });
    expect((await post(`${RULES}/${id}/${verb}`, {})).status).toBe(200);
    expect(await version()).toBe(3);
  });

  it('answers 404 for a rule that does not exist', async () => {
    const { post } = await rulesApp();
    expect((await post(`${RULES}/none/${verb}`, {})).status).toBe(404);
  });
});

describe('POST /v2/users/{userIdentifier}/notification-rules/{ruleId}/change-order', () => {
  it.each([
    ['a', { order: 2 }, 'bca'],
    ['c', { order: 0 }, 'cab'],
    ['c', {}, 'cab'],
    ['b', { order: 1 }, 'abc'],
  ] as const)('moves rule %s by %j', async (name, body, names) => {
    const { ids, post, places } = await three();
    const { status, body: answer } = await post(`${RULES}/${ids[name]}/change-order`, body);
    expect(status).toBe(200);
    const order = names.indexOf(name);
    expect(answer).toMatchObject({ result: 'Changed', data: { id: ids[name], name, order } });
    expect(await places('incoming-call-routing')).toEqual(inOrder(names));
  });

  it.each([
    [3, 'should be at most 2'],
    [-1, 'should be a whole number of at least 0'],
  ])('answers 422 for place %i of 3', async (order, sentence) => {
    const { ids, post, places } = await three();
    const { status, body } = await post(`${RULES}/${ids.a}/change-order`, { order });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { order: sentence } });
    expect(await places('incoming-call-routing')).toEqual(inOrder('abc'));
  });

  it('answers 404 for a rule that does not exist', async () => {
    const { post } = await rulesApp();
    expect((await post(`${RULES}/none/change-order`, {})).status).toBe(404);
  });

  it('leaves an order without a gap, however many move rules at once', async () => {
    const { ids, post, places } = await three();
    const moves = Array.from({ length: 20 }, (_, n) => [Object.values(ids)[n % 3], (n * 7) % 3] as const);
    await Promise.all(moves.map(([id, order]) => post(`${RULES}/${id}/change-order`, { order })));
    const left = await places('incoming-call-routing');
    expect(left.map(([, order]) => order)).toEqual([0, 1, 2]);
    expect(left.map(([name]) => name).toSorted()).toEqual(['a', 'b', 'c']);
  });
});

describe('a deleted user', () => {
  it('takes the rules along', async () => {
    const { rule, remove, get } = await rulesApp();
    const id = await rule();
    await remove(`/v2/users/${ADA}`);
    expect((await get(`${RULES}/${id}`)).status).toBe(404);
  });
});
