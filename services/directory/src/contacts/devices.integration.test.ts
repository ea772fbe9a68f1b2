import { describe, expect, it } from '@jest/globals';
import { signedIn } from '@tocsin/testkit';
import { accountKey, testApp } from '../testing/app-fixture.ts';
import { ADA, CONTACTS, listed, newAlertSteps, versionOf, withAda } from '../testing/contact-fixture.ts';
import { nights } from '../testing/notification-rule-fixture.ts';
import { randomTopic } from './device-operations.ts';

const DEVICES = `/v2/users/${ADA}/devices`;
const phone = { name: 'Phone' };

describe('POST /v2/users/{userIdentifier}/devices', () => {
  it('answers 201 with a topic and the QR code for a phone', async () => {
    const app = await withAda();
    const { status, body } = await app.post(DEVICES, { name: ' Phone ', unknown: 1 });
    const { took, requestId, ...rest } = body as Record<string, unknown>;
    expect([status, took, requestId]).toEqual([201, expect.any(Number), expect.any(String)]);
    expect(rest).toEqual({
      result: 'Created',
      data: {
        id: expect.any(String),
        topic: 'topic-1',
        url: 'https://push.example.com/topic-1',
        qrText: 'ntfy://push.example.com/topic-1',
      },
    });
    expect((await listed(app))[1]).toEqual({
      id: (rest['data'] as { id: string }).id,
      method: 'mobile',
      to: 'topic-1',
      status: { enabled: true },
      device: { name: 'Phone', kind: 'ntfy', verified: false },
      applyOrder: 1,
    });
  });

  it('answers 201 to a device of a service, with the key of its user as the address, and no subscription (U13)', async () => {
    const app = await withAda();
    const sent = { name: 'Gotify', kind: 'gotify', key: 'AbCdEf123456789' };
    const { status, body } = await app.post(DEVICES, sent);
    const { data } = body as { data: { id: string } };
    expect([status, data]).toEqual([201, { id: expect.any(String), topic: 'gotify:AbCdEf123456789' }]);
    expect((await listed(app))[1]).toMatchObject({
      id: data.id,
      to: 'gotify:AbCdEf123456789',
      device: { name: 'Gotify', kind: 'gotify', verified: false },
    });
    expect((await app.post(DEVICES, sent)).body).toMatchObject({
      message: 'The user has a device with this key already.',
    });
    expect((await listed(app)).filter(({ method }) => method === 'mobile')).toHaveLength(1);
  });

  it.each([
    [{ kind: 'gotify' }, { key: 'should be the token of an application of Gotify' }],
    [{ kind: 'gotify', key: 'a key/of another form' }, { key: 'should be the token of an application of Gotify' }],
    [{ kind: 'pushover', key: 'short' }, { key: 'should be the user key of Pushover, 30 letters and digits' }],
    [{ kind: 'slack' }, { key: 'should be the id of a member of Slack, such as U012AB3CD' }],
    [{ kind: 'slack', key: 'C012AB3CD' }, { key: 'should be the id of a member of Slack, such as U012AB3CD' }],
    [{ kind: 'mattermost', key: 'ada' }, { key: 'should be the id of a user of Mattermost, 26 letters and digits' }],
    [{ kind: 'pager', key: 'x' }, { kind: 'should be one of [ ntfy, gotify, pushover, telegram, slack, mattermost ]' }],
  ])('answers 422 to %j', async (device, errors) => {
    const app = await withAda();
    const { status, body } = await app.post(DEVICES, { name: 'Phone', ...device });
    expect([status, (body as { errors?: unknown }).errors]).toEqual([422, errors]);
    expect(await listed(app)).toHaveLength(1);
  });

  it('answers 422 that says that a service is not set up', async () => {
    const app = await withAda();
    const { status, body } = await app.post(DEVICES, { name: 'Phone', kind: 'pushover', key: 'u'.repeat(30) });
    expect(status).toBe(422);
    expect(body).toMatchObject({ message: 'Pushover is not set up: PUSHOVER_URL is not set.' });
  });

  it('shows its topic to the user and to admins of the account, and to no other person (U13)', async () => {
    const app = await withAda();
    await app.post(DEVICES, phone);
    const [user] = ((await app.get('/v2/users')).body as { data: [{ id: string }] }).data;
    const contactId = (await listed(app))[1]?.['id'] as string;
    const step = { contact: { method: 'mobile', to: 'topic-1' }, sendAfter: { timeAmount: 0 }, enabled: true };
    const rule = { ...nights, steps: [step] };
    const created = await app.post(`/v2/users/${ADA}/notification-rules`, rule);
    const ruleId = (created.body as { data: { id: string } }).data.id;
    const reads = [
      CONTACTS,
      `${CONTACTS}/${contactId}`,
      '/v2/users?expand=contact',
      `/v2/users/${ADA}?expand=contact`,
      `/v2/users/${ADA}/notification-rules/${ruleId}`,
      `/v2/users/${ADA}/notification-rules/${ruleId}/steps`,
    ];
    const readers = [
      { ...signedIn(), userId: user.id },
      signedIn({}, { role: 'admin', userId: 'root' }),
      signedIn({ ops: 'admin' }, { userId: 'bob' }),
      signedIn({}, { role: 'observer', userId: 'eve' }),
    ];
    for (const path of reads) {
      const texts = await Promise.all(
        readers.map(async (reader) => JSON.stringify((await app.get(path, reader)).body)),
      );
      expect([path, ...texts.map((text) => [text.includes('topic-1'), text.includes('*****')])]).toEqual([
        path,
        [true, false],
        [true, false],
        [false, true],
        [false, true],
      ]);
    }
  });

  it('makes a contact that is used at once, also where contacts are confirmed by codes, and is in no rule by itself', async () => {
    const app = await testApp({ confirmation: 'required' });
    const id = await app.user(ADA);
    expect((await app.post(`/v2/users/${id}/devices`, phone)).status).toBe(201);
    expect((await listed(app))[1]).toMatchObject({ method: 'mobile', status: { enabled: true } });
    expect((await listed(app))[1]?.['status']).not.toHaveProperty('disabledReason');
    expect((await app.notices()).filter(({ kind }) => kind === 'contact-verification')).toEqual([]);
    expect(await newAlertSteps(app)).toEqual([['email', ADA, 0]]);
  });

  it('makes a contact that is disabled and deleted as any other, with the steps that use it', async () => {
    const app = await withAda();
    const { body } = await app.post(DEVICES, phone);
    const { id, topic } = (body as { data: { id: string; topic: string } }).data;
    const rules = `/v2/users/${ADA}/notification-rules`;
    const [rule] = ((await app.get(rules)).body as { data: { id: string }[] }).data;
    const step = {
      contact: { method: 'mobile', to: topic },
      sendAfter: { timeAmount: 1, timeUnit: 'minutes' },
      enabled: true,
    };
    expect((await app.post(`${rules}/${rule?.id ?? ''}/steps`, step)).status).toBe(201);
    expect(await newAlertSteps(app)).toContainEqual(['mobile', topic, 1]);
    expect((await app.post(`${CONTACTS}/${id}/disable`, {})).status).toBe(200);
    expect((await app.remove(`${CONTACTS}/${id}`)).status).toBe(200);
    expect(await newAlertSteps(app)).not.toContainEqual(['mobile', topic, 1]);
    expect(await listed(app)).toHaveLength(1);
  });

  it('makes a contact that keeps its topic: a PATCH to another is 422, to its own 200', async () => {
    const app = await withAda();
    const { body } = await app.post(DEVICES, phone);
    const { id, topic } = (body as { data: { id: string; topic: string } }).data;
    expect((await app.patch(`${CONTACTS}/${id}`, { to: topic })).status).toBe(200);
    const { status, body: refusal } = await app.patch(`${CONTACTS}/${id}`, { to: 'topic-9' });
    expect(status).toBe(422);
    expect(refusal).toMatchObject({ errors: { to: 'is the topic of a device and stays: register the device anew' } });
    expect((await listed(app))[1]).toMatchObject({ to: topic });
  });

  it.each([
    [{}, 'Name can not be empty.'],
    [{ name: ' ' }, 'Name can not be empty.'],
    [{ name: 7 }, 'Name can not be empty.'],
    [{ name: 'x'.repeat(101) }, 'should be at most 100 characters'],
  ])('answers 422 to %j, and adds nothing', async (sent, sentence) => {
    const app = await withAda();
    const { status, body } = await app.post(DEVICES, sent);
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { name: sentence } });
    expect(await versionOf(app)).toBe(1);
  });

  it('takes five devices, and answers 422 to the sixth of many that come at once', async () => {
    const app = await withAda();
    const answers = await Promise.all(Array.from({ length: 7 }, () => app.post(DEVICES, phone)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 201, 201, 422, 422]);
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({
      message: 'The user has 5 devices already, which is the most.',
    });
    expect((await listed(app)).filter(({ method }) => method === 'mobile')).toHaveLength(5);
  });

  it('answers 404 for a user that does not exist, and 403 to a team key', async () => {
    const app = await withAda();
    expect((await app.post('/v2/users/unknown@example.com/devices', phone)).status).toBe(404);
    const { status, body } = await app.post(DEVICES, phone, { ...accountKey, teamId: 'team' });
    expect([status, (body as { code?: number }).code]).toEqual([403, 40301]);
    expect(await listed(app)).toHaveLength(1);
  });

  it('answers 422 that says that push is not set up where it is not', async () => {
    const app = await testApp({ pushUrl: undefined });
    await app.user(ADA);
    const { status, body } = await app.post(DEVICES, phone);
    expect(status).toBe(422);
    expect(body).toMatchObject({ message: 'Push is not set up in this installation: PUSH_URL is not set.' });
    expect(await listed(app)).toHaveLength(1);
  });
});

describe('the topic of a device', () => {
  it('is one that ntfy takes, and another each time', () => {
    const topics = Array.from({ length: 100 }, randomTopic);
    for (const topic of topics) expect(topic).toMatch(/^tocsin-[-\w]{24}$/);
    expect(new Set(topics).size).toBe(100);
  });
});
