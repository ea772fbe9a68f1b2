import { describe, expect, it } from '@jest/globals';
import { accountKey } from '../testing/app-fixture.ts';
import { ADA, mailStep, nights, RULES, rulesApp } from '../testing/notification-rule-fixture.ts';

const teamKey = { ...accountKey, teamId: 'team' };

/** A rule with a step, by default of a type that demands delays. */
async function withStep(actionType = 'create-alert') {
  const app = await rulesApp();
  const ruleId = await app.rule({ ...nights, actionType, steps: [mailStep] });
  const steps = `${RULES}/${ruleId}/steps`;
  const [first] = (await app.read(steps)) as readonly { id: string }[];
  return { ...app, ruleId, steps, stepId: first?.id ?? '', step: `${steps}/${first?.id}` };
}

describe('POST …/notification-rules/{ruleId}/steps', () => {
  it('answers 201 with the id of the step, the last of its rule', async () => {
    const { post, read, steps, stepId } = await withStep();
    const { status, body } = await post(steps, { ...mailStep, sendAfter: { timeAmount: 2, timeUnit: 'hours' } });
    expect(status).toBe(201);
    const { id } = (body as { data: { id: string } }).data;
    expect(body).toMatchObject({ result: 'Created' });
    expect(await read(steps)).toMatchObject([
      { id: stepId, sendAfter: { timeAmount: 5, timeUnit: 'minutes' } },
      { id, sendAfter: { timeAmount: 120, timeUnit: 'minutes' }, contact: mailStep.contact, enabled: true },
    ]);
  });

  it.each(['create-alert', 'assigned-alert'])('demands of a step of a %s rule when it is sent', async (actionType) => {
    const { post, steps, read } = await withStep(actionType);
    const { status, body } = await post(steps, { ...mailStep, sendAfter: undefined });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { sendAfter: 'should be provided' } });
    expect(await read(steps)).toHaveLength(1);
  });

  it.each(['acknowledged-alert', 'closed-alert', 'add-note', 'renotified-alert', 'incoming-call-routing'])(
    'sends a step of a %s rule at once by default',
    async (actionType) => {
      const { post, steps, read } = await withStep(actionType);
      expect((await post(steps, { ...mailStep, sendAfter: undefined })).status).toBe(201);
      expect(await read(steps)).toMatchObject([{}, { sendAfter: { timeAmount: 0, timeUnit: 'minutes' } }]);
    },
  );

  it.each([{}, { timeUnit: 'minute' }, { timeAmount: 0 }])('reads %j as at once', async (sendAfter) => {
    const { post, read, steps } = await withStep();
    await post(steps, { ...mailStep, sendAfter });
    expect(await read(steps)).toMatchObject([{}, { sendAfter: { timeAmount: 0 } }]);
  });

  it('takes a contact of each method that the user has, and any mobile one', async () => {
    const { post, read, steps } = await withStep();
    for (const method of ['sms', 'voice']) await post(`/v2/users/${ADA}/contacts`, { method, to: '39-333' });
    for (const method of ['sms', 'VOICE']) {
      const contact = { method, to: '39-333' };
      expect((await post(steps, { ...mailStep, contact })).status).toBe(201);
    }
    expect((await post(steps, { ...mailStep, contact: { method: 'mobile', to: 'phone' } })).status).toBe(201);
    const listed = (await read(steps)) as readonly { contact: { method: string } }[];
    expect(listed.map(({ contact }) => contact.method)).toEqual(['email', 'sms', 'voice', 'mobile']);
  });

  it('knows a mail address in any letter case', async () => {
    const { post, read, steps } = await withStep();
    await post(steps, { ...mailStep, contact: { method: 'email', to: ' ADA@Example.com' } });
    expect(await read(steps)).toMatchObject([{}, { contact: { to: ADA } }]);
  });

  it('answers 404 that names the contact which the user does not have', async () => {
    const { post, steps, version } = await withStep();
    const present = await version();
    const { status, body } = await post(steps, { ...mailStep, contact: { method: 'voice', to: '39-333' } });
    expect(status).toBe(404);
    expect(body).toMatchObject({ message: 'Contact does not exist with method: voice and to: 39-333' });
    expect(await version()).toBe(present);
  });

  it.each([
    ['contact', { contact: undefined }, 'should be an object with method and to'],
    ['contact.method', { contact: { method: 'fax', to: '1' } }, 'should be one of [ email, sms, voice, mobile ]'],
    ['contact.to', { contact: { method: 'email', to: '' } }, 'Address can not be empty.'],
    ['enabled', { enabled: undefined }, 'should be true or false'],
    ['sendAfter.timeAmount', { sendAfter: { timeAmount: -1 } }, 'should be at least 0 minutes'],
    ['sendAfter.timeAmount', { sendAfter: { timeAmount: 1_000_001 } }, 'should be at most 1000000 minutes'],
  ])('answers 422 that names %s', async (field, change, sentence) => {
    const { post, steps } = await withStep();
    const { status, body } = await post(steps, { ...mailStep, ...change });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { [field]: sentence } });
  });

  it('answers 422 for one step more than a rule may have', async () => {
    const { rule, post, read } = await rulesApp();
    const id = await rule({ ...nights, steps: Array.from({ length: 999 }, () => mailStep) });
    expect((await post(`${RULES}/${id}/steps`, mailStep)).status).toBe(201);
    const { status, body } = await post(`${RULES}/${id}/steps`, mailStep);
    expect(status).toBe(422);
    expect(body).toMatchObject({ message: 'A notification rule has at most 1000 steps.' });
    expect(await read(`${RULES}/${id}/steps`)).toHaveLength(1_000);
  });

  it('answers 404 for an unknown user or rule, and 403 to the key of a team', async () => {
    const { post, steps, ruleId } = await withStep();
    expect((await post(`/v2/users/unknown@example.com/notification-rules/${ruleId}/steps`, mailStep)).status).toBe(404);
    expect((await post(`${RULES}/none/steps`, mailStep)).body).toMatchObject({
      message: 'Notification rule does not exist with id: none',
    });
    expect((await post(steps, mailStep, teamKey)).status).toBe(403);
  });
});

describe('GET …/notification-rules/{ruleId}/steps', () => {
  it('answers with each step and the rule that it is a part of', async () => {
    const { read, steps, step, stepId, ruleId } = await withStep();
    const expected = {
      id: stepId,
      contact: mailStep.contact,
      sendAfter: { timeAmount: 5, timeUnit: 'minutes' },
      enabled: true,
      _parent: { id: ruleId, name: 'Nights' },
    };
    expect(await read(step)).toEqual(expected);
    expect(await read(steps)).toEqual([expected]);
  });

  it('answers 404 that names what does not exist', async () => {
    const { get, steps } = await withStep();
    expect(await get(`${steps}/none`)).toMatchObject({
      status: 404,
      body: { message: 'Notification rule step does not exist with id: none' },
    });
    expect((await get(`${RULES}/none/steps`)).status).toBe(404);
  });
});

describe('PATCH …/notification-rules/{ruleId}/steps/{stepId}', () => {
  it('changes the fields of the body and keeps the rest', async () => {
    const { patch, read, step, stepId } = await withStep();
    const before = (await read(step)) as object;
    const { status, body } = await patch(step, { sendAfter: { timeAmount: 7 } });
    expect([status, body]).toMatchObject([200, { result: 'Updated', data: { id: stepId } }]);
    await patch(step, { contact: { method: 'mobile', to: 'phone' } });
    const contact = { method: 'mobile', to: 'phone' };
    expect(await read(step)).toEqual({ ...before, contact, sendAfter: { timeAmount: 7, timeUnit: 'minutes' } });
  });

  it('changes nothing with the answer to a GET', async () => {
    const { patch, read, step, version } = await withStep();
    const [data, present] = [(await read(step)) as object, await version()];
    expect((await patch(step, data)).status).toBe(200);
    expect((await patch(step, {})).status).toBe(200);
    expect([await read(step), await version()]).toEqual([data, present]);
  });

  it('answers 404 for a contact or step that does not exist, and 422 for a wrong value', async () => {
    const { patch, step, steps } = await withStep();
    expect((await patch(step, { contact: { method: 'sms', to: '1-1' } })).status).toBe(404);
    expect((await patch(`${steps}/none`, {})).status).toBe(404);
    expect(await patch(step, { enabled: 'maybe' })).toMatchObject({
      status: 422,
      body: { errors: { enabled: 'should be true or false' } },
    });
  });
});

describe('DELETE …/notification-rules/{ruleId}/steps/{stepId}', () => {
  it('removes the step at once', async () => {
    const { remove, read, step, steps } = await withStep();
    expect(await remove(step)).toMatchObject({ status: 200, body: { result: 'Deleted' } });
    expect(await read(steps)).toEqual([]);
    expect((await remove(step)).status).toBe(404);
  });
});

describe.each([
  ['enable', true, 'Enabled'],
  ['disable', false, 'Disabled'],
])('POST …/notification-rules/{ruleId}/steps/{stepId}/%s', (verb, enabled, result) => {
  it('answers with the id, and is the same when repeated', async () => {
    const { post, patch, read, step, stepId } = await withStep();
    await patch(step, { enabled: !enabled });
    expect(await post(`${step}/${verb}`, {})).toMatchObject({ status: 200, body: { result, data: { id: stepId } } });
    expect((await post(`${step}/${verb}`, {})).status).toBe(200);
    expect(await read(step)).toMatchObject({ enabled });
  });

  it('answers 404 for a step that does not exist', async () => {
    const { post, steps } = await withStep();
    expect((await post(`${steps}/none/${verb}`, {})).status).toBe(404);
  });
});
