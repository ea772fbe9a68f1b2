import { afterEach, describe, expect, it } from '@jest/globals';
import { ownMessageId } from '@tocsin/events';
import { TooLargeError, UnavailableError } from '@tocsin/core';
import { MAILBOX, openMailService, stopMail, type TestMailService } from '../../testing/mail-fixture.ts';
import { OPS } from '../../testing/app-fixture.ts';

afterEach(stopMail);

const refused = (code: number) => expect.objectContaining({ responseCode: code });
const idIn = (response: string) => /accepted as (\S+)$/.exec(response)?.[1];
const put = (mail: TestMailService, body: object) =>
  mail.call('put', `/v2/integrations/${mail.integrationId}`, {
    type: 'Email',
    name: 'Mail',
    emailUsername: 'Ops',
    ...body,
  });
const actions = (mail: TestMailService, body: object) =>
  mail.call('put', `/v2/integrations/${mail.integrationId}/actions`, body);

describe('a mail to the address of an integration (P10)', () => {
  it('becomes a create, and its answer names the request', async () => {
    const mail = await openMailService();
    const { response } = await mail.send({ subject: 'Re: Disk  full' });
    expect(response).toMatch(/^250 /);
    expect(mail.commands()).toEqual([
      expect.objectContaining({
        kind: 'create',
        requestId: idIn(response),
        actor: 'ada@example.com',
        source: 'ada@example.com',
        identifier: { type: 'alias', value: `${mail.integrationId}/Disk full` },
        integration: { id: mail.integrationId, name: 'Mail', type: 'Email' },
        alert: expect.objectContaining({
          message: 'Re: Disk full',
          description: 'on db-1',
          priority: 'P3',
          responders: [],
        }),
      }),
    ]);
    expect(mail.outcomes).toMatchObject([{ requestIds: [idIn(response)], refusal: undefined }]);
    expect(mail.taken).toEqual([mail.integrationId]);
  });

  it('is taken in any case of its address, and beside a display name', async () => {
    const mail = await openMailService();
    await mail.send({ to: 'Ops <OPS@Alerts.Example.COM>' });
    expect(mail.commands()).toHaveLength(1);
  });

  it('shares the alias of its conversation with the answers to it, and with nothing else', async () => {
    const mail = await openMailService();
    for (const subject of ['Disk full', 'RE: disk full', 'AW: Fwd: Disk full', 'Re: [OK] Disk full', ''])
      await mail.send({ subject });
    const aliases = mail.commands().map(({ identifier }) => identifier);
    expect(new Set([aliases[0]?.value, aliases[2]?.value, aliases[3]?.value]).size).toBe(1);
    expect(aliases[1]?.value).toBe(`${mail.integrationId}/disk full`);
    expect(aliases[4]?.type).toBe('id');
  });

  it('has an alias within its limit, its own, however long the subject is', async () => {
    const mail = await openMailService();
    for (const end of ['a', 'b']) await mail.send({ subject: `${'long '.repeat(150)}${end}` });
    const [one, other] = mail.commands().map(({ identifier }) => identifier.value);
    expect(one?.length).toBeLessThanOrEqual(512);
    expect(one).not.toBe(other);
  });

  it('is one command for each of several integrations, and one for an address that is named twice', async () => {
    const mail = await openMailService();
    await mail.call('post', '/v2/integrations', { type: 'Email', name: 'Other', emailUsername: 'other' });
    const { response } = await mail.send({ to: [MAILBOX, 'other@alerts.example.com'], cc: 'OPS@alerts.example.com' });
    expect(mail.commands().map(({ integration }) => integration.name)).toEqual(['Mail', 'Other']);
    expect(new Set(mail.commands().map(({ requestId }) => requestId)).size).toBe(2);
    expect(response).toContain(
      mail
        .commands()
        .map(({ requestId }) => requestId)
        .join(', '),
    );
  });

  it('to the integration of a team is of that team (K4)', async () => {
    const mail = await openMailService();
    mail.teams.put(OPS.id, OPS);
    await put(mail, { ownerTeam: { name: 'Ops' } });
    await mail.send();
    expect(mail.commands()).toMatchObject([
      { integration: { ownerTeamId: OPS.id }, alert: { responders: [{ type: 'team', id: OPS.id }] } },
    ]);
  });

  it('goes through the actions of its integration (P1)', async () => {
    const mail = await openMailService();
    const from = (expectedValue: string) => ({
      conditionMatchType: 'Match All Conditions',
      conditions: [{ field: 'From Address', operation: 'Equals', expectedValue }],
    });
    await actions(mail, {
      ignore: [{ name: 'Noise', filter: from('noise@example.com') }],
      close: [{ name: 'Good', filter: from('good@example.com'), note: '{{messages}}' }],
      create: [
        { name: 'Rest', filter: from('bad@example.com'), message: '{{from_name}}: {{subject}}', tags: ['mail'] },
      ],
    });
    for (const name of ['noise', 'good', 'bad']) await mail.send({ from: `${name} <${name}@example.com>` });
    const alias = { type: 'alias', value: `${mail.integrationId}/Disk full` };
    expect(mail.commands()).toMatchObject([
      { kind: 'create', dropped: 'Ignored by action [Noise] of integration [Mail].' },
      { kind: 'close', identifier: alias, note: 'on db-1', actor: 'good@example.com' },
      { kind: 'create', identifier: alias, alert: { message: 'bad: Disk full', tags: ['mail'] } },
    ]);
  });

  it.each([
    ['an automatic reply', { headers: { 'Auto-Submitted': 'auto-replied' } }, 'it is an automatic reply'],
    ['a notification of Tocsin', { headers: { 'X-Tocsin-Delivery-Id': '1' } }, 'it is a notification of Tocsin'],
    ['an answer to a notification', { inReplyTo: ownMessageId('d1', 'a.example.com') }, 'it answers a notification'],
    [
      'a report of a mail system',
      { from: 'MAILER-DAEMON@mx.example.com', envelope: { from: '', to: MAILBOX } },
      'it is the report of a mail system',
    ],
  ])('that is %s has no effect, and its request says why', async (_, content, why) => {
    const mail = await openMailService();
    await mail.send({ ...content, attachments: [{ filename: 'a.txt', content: 'x' }] });
    expect(mail.commands()).toMatchObject([{ kind: 'create', dropped: expect.stringContaining(why) }]);
    expect(mail.attachments.stored).toEqual([]);
  });
});

describe('an alarm (P10)', () => {
  it('that has no envelope sender is an alarm', async () => {
    const mail = await openMailService();
    await mail.send({ envelope: { from: '', to: MAILBOX } });
    expect(mail.commands()).toMatchObject([{ kind: 'create', source: 'ada@example.com' }]);
    expect(mail.commands()[0]).not.toHaveProperty('dropped');
  });

  it('says that it is over by a label of its subject, and has the alias of the alarm', async () => {
    const mail = await openMailService();
    for (const subject of ['[FIRING:1] Disk full', '[RESOLVED] Disk full']) await mail.send({ subject });
    const alias = { type: 'alias', value: `${mail.integrationId}/Disk full` };
    expect(mail.commands()).toMatchObject([{ identifier: alias }, { identifier: alias, recovery: true }]);
    expect(mail.commands()[0]).not.toHaveProperty('recovery');
  });

  it('of another host has another alias, where the label of the subject is its name', async () => {
    const mail = await openMailService();
    for (const host of ['web-1', 'web-2']) await mail.send({ subject: `[${host}] Alert triggered` });
    expect(new Set(mail.commands().map(({ identifier }) => identifier.value)).size).toBe(2);
  });
});

describe('the files of a mail (P13)', () => {
  const withFile = { attachments: [{ filename: 'a.txt', content: 'hello', contentType: 'text/plain' }] };

  it('are kept before the command, which names them', async () => {
    const mail = await openMailService();
    await mail.send(withFile);
    expect(mail.attachments.stored).toMatchObject([{ name: 'a.txt', type: 'text/plain' }]);
    expect(Buffer.from(mail.attachments.stored[0]?.bytes ?? []).toString()).toBe('hello');
    expect(mail.commands()).toMatchObject([{ alert: { attachments: ['1'] } }]);
  });

  it('are kept for nothing but an alert of an action that appends them', async () => {
    const mail = await openMailService();
    for (const groups of [
      { create: [{ name: 'Bare', appendAttachments: false }] },
      { ignore: [{ name: 'I' }] },
      { close: [{ name: 'C' }] },
      { addNote: [{ name: 'N' }] },
    ]) {
      await actions(mail, groups);
      await mail.send(withFile);
    }
    expect(mail.attachments.stored).toEqual([]);
    expect(mail.commands().map(({ kind }) => kind)).toEqual(['create', 'create', 'close', 'add-note']);
    expect(JSON.stringify(mail.commands())).not.toContain('attachments');
  });

  it('that have no space are left out, and the command says how many', async () => {
    const mail = await openMailService();
    const attachments = ['large', 'a.txt', 'large'].map((filename) => ({ filename, content: 'x' }));
    await mail.send({ attachments });
    expect(mail.commands()).toMatchObject([{ alert: { attachments: ['1'], attachmentsLeftOut: 2 } }]);
  });

  it('have names without folders, control characters and marks that turn letters around, and a name in any case', async () => {
    const mail = await openMailService();
    const names = ['../../etc/passwd', 'in\u202evoice\u2066.txt', '..', 'C:\\temp\\a.txt'];
    await mail.send({ attachments: names.map((filename) => ({ filename, content: 'x' })) });
    expect(mail.attachments.stored.map(({ name }) => name)).toEqual(['passwd', 'invoice.txt', 'attachment-3', 'a.txt']);
  });

  it('that cannot be kept put the mail off', async () => {
    const mail = await openMailService();
    mail.attachments.refuseWith(new UnavailableError('unavailable'));
    await expect(mail.send(withFile)).rejects.toEqual(refused(451));
    expect(mail.commands()).toEqual([]);
  });
});

describe('a mail is answered', () => {
  it('250 only when its command is on Kafka', async () => {
    const mail = await openMailService();
    const { publisher } = mail;
    const publish = publisher.publish.bind(publisher);
    const asked = Promise.withResolvers<undefined>();
    const held = Promise.withResolvers<undefined>();
    publisher.publish = async (topic, messages) => {
      asked.resolve(undefined);
      await held.promise;
      return publish(topic, messages);
    };
    let answered = false;
    const sending = mail.send().finally(() => (answered = true));
    await asked.promise;
    expect([answered, mail.listener.underWay]).toEqual([false, 1]);
    held.resolve(undefined);
    expect((await sending).response).toMatch(/^250 /);
    expect(mail.listener.underWay).toBe(0);
  });

  it.each([
    ['451 while Kafka is unavailable', new UnavailableError('unavailable'), 451],
    ['451 after a defect of this service', new TypeError('a defect'), 451],
    ['552 when Kafka takes nothing so large', new TooLargeError('large'), 552],
  ])('%s', async (_, error, code) => {
    const mail = await openMailService();
    mail.publisher.refuseWith(error);
    await expect(mail.send()).rejects.toEqual(refused(code));
    expect(mail.outcomes).toMatchObject([{ requestIds: [], refusal: { responseCode: code, cause: error } }]);
  });

  it('under a request of its own when it is repeated, with what it is known by, so that it settles once', async () => {
    const mail = await openMailService();
    const content = { messageId: '<1@example.com>', date: '2026-01-01T00:00:00Z' };
    mail.publisher.refuseWith(new UnavailableError('unavailable'));
    await expect(mail.send(content)).rejects.toEqual(refused(451));
    mail.publisher.refuseWith(undefined);
    const first = await mail.send(content);
    const again = await mail.send({ ...content, headers: { Received: 'by another way' } });
    expect(idIn(first.response)).not.toBe(idIn(again.response));
    const others = [{ messageId: '<2@example.com>' }, { date: '2026-01-01T00:00:01Z' }, { text: 'on db-2' }];
    for (const other of others) await mail.send({ ...content, ...other });
    const keys = mail.commands().map(({ mail: identity }) => identity);
    expect(keys[0]).toEqual({ key: expect.any(String), hasMessageId: true });
    expect(keys[1]).toEqual(keys[0]);
    expect(new Set(keys.map((identity) => identity?.key)).size).toBe(4);
  });

  it('with what came as what it is known by where it has no id, which keeps its deliveries in order', async () => {
    const mail = await openMailService();
    const envelope = { from: 'a@b.c', to: MAILBOX };
    for (const raw of ['\r\none', '\r\none', '\r\nother']) await mail.send({ raw, envelope });
    const [one, again, other] = mail.commands();
    expect(one?.mail).toMatchObject({ hasMessageId: false });
    expect(again?.identifier).toEqual({ type: 'id', value: one?.mail?.key });
    expect(again?.identifier).toEqual(one?.identifier);
    expect(other?.identifier).not.toEqual(one?.identifier);
  });
});
