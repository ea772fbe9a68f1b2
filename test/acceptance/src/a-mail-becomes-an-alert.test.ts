import { describe, expect, it } from '@jest/globals';
import { freePort } from '@tocsin/testkit';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { useSystem } from './system/system.ts';

const port = await freePort();
const system = useSystem({ SMTP_PORT: String(port) });

interface Created {
  readonly id: string;
  readonly name: string;
  readonly emailAddress: string;
}
interface Listed {
  readonly id: string;
  readonly message: string;
}

let mailboxes = 0;
const mailbox = (body: object = {}) => {
  const emailUsername = `box-${(mailboxes += 1)}`;
  return system.api.create<Created>('/v2/integrations', { type: 'Email', name: emailUsername, emailUsername, ...body });
};

/** Sends a mail, waits until its effects have settled, and returns the id of its request. */
async function send(to: string, mail: SendMailOptions): Promise<string> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  const { response } = await transport.sendMail({ from: 'Probe <probe@example.com>', to, text: 'on db-1', ...mail });
  transport.close();
  await system.settle();
  return /accepted as (\S+)$/.exec(response)?.[1] ?? response;
}

const status = (requestId: string) => system.api.read(`/v2/alerts/requests/${requestId}`);
const listed = ({ name }: Created) =>
  system.api.read<Listed[]>(`/v2/alerts?query=${encodeURIComponent(`integration.name: "${name}"`)}`);

describe('mail to an Email integration (P10)', () => {
  it('becomes an alert, whose count the second mail of the conversation raises', async () => {
    const box = await mailbox();
    const first = await send(box.emailAddress, { subject: 'Disk full' });
    const [alert] = await listed(box);
    expect(alert).toMatchObject({ message: 'Disk full', source: 'probe@example.com', status: 'open', count: 1 });
    expect(await system.api.read(`/v2/alerts/${alert?.id ?? ''}`)).toMatchObject({ description: 'on db-1' });
    expect(await status(first)).toMatchObject({ success: true, action: 'Create', alertId: alert?.id });

    await send(box.emailAddress, { subject: 'Re: [PROBLEM] Disk full' });
    expect(await listed(box)).toMatchObject([{ id: alert?.id, message: 'Disk full', count: 2 }]);
    await send(box.emailAddress, { subject: 'Memory full' });
    expect(await listed(box)).toHaveLength(2);
  });

  it('counts once, and leaves its files once, however often it is delivered', async () => {
    const box = await mailbox();
    const attachments = [{ filename: 'a.txt', content: 'hello' }];
    const mail = { subject: 'Disk full', messageId: '<1@example.com>', date: '2026-03-02T00:00:00Z', attachments };
    const ids = [await send(box.emailAddress, mail), await send(box.emailAddress, mail)];
    expect(await status(ids[1] ?? '')).toMatchObject({
      success: true,
      status: `Repeated message of request ${ids[0] ?? ''}`,
    });
    const [alert] = await listed(box);
    expect(alert).toMatchObject({ count: 1 });
    expect(await system.api.read(`/v2/alerts/${alert?.id ?? ''}/attachments`)).toMatchObject([{ name: 'a.txt' }]);
  });

  it('without an id makes an alert again once its alert is closed, and one alarm of three with one id each makes three', async () => {
    const box = await mailbox();
    const raw = 'Subject: Disk full\r\n\r\non db-1\r\n';
    const again = () => send(box.emailAddress, { raw, envelope: { from: 'probe@example.com', to: box.emailAddress } });
    await again();
    expect(await status(await again())).toMatchObject({
      status: expect.stringMatching(/^Repeated message of request /),
    });
    const [alert] = await listed(box);
    await system.api.expect(202, 'POST', `/v2/alerts/${alert?.id ?? ''}/close`, {});
    await system.settle();
    await again();
    expect(await listed(box)).toMatchObject([{ count: 1 }, { id: alert?.id, count: 1, status: 'closed' }]);

    const habit = { messageId: '<mailer@example.com>', date: '2026-03-02T00:00:00Z' };
    for (const host of ['web-1', 'web-2', 'web-3'])
      await send(box.emailAddress, { ...habit, subject: `[${host}] Alert triggered` });
    expect(await listed(box)).toHaveLength(5);
  });

  it('makes no alert in a maintenance window of its integration, and its files go with it (P9)', async () => {
    const box = await mailbox();
    const rules = [{ entity: { type: 'integration', id: box.id } }];
    const { id } = await system.api.create('/v1/maintenance', {
      description: 'New disks',
      time: { type: 'for-1-hour' },
      rules,
    });
    await system.settle();
    const attachments = [{ filename: 'a.txt', content: 'maintained word' }];
    const during = await send(box.emailAddress, { subject: 'Disk full', attachments });
    expect(await status(during)).toMatchObject({
      success: true,
      alertId: '',
      status: expect.stringContaining('New disks'),
    });
    expect(await listed(box)).toEqual([]);
    expect(await system.stored().wordsOf('maintained')).toEqual({});
    await system.api.expect(200, 'POST', `/v1/maintenance/${id}/cancel`);
    await send(box.emailAddress, { subject: 'Disk full', attachments });
    expect(await listed(box)).toMatchObject([{ message: 'Disk full', count: 1 }]);
    expect(await system.stored().wordsOf('maintained')).not.toEqual({});
  });

  it('pages the recipients of the integration; what a machine answers to that makes no alert', async () => {
    const scenario = system.scenario();
    await scenario.users('ada');
    const box = await mailbox({ recipients: [scenario.user('ada')] });
    await system.settle();
    await send(box.emailAddress, { subject: 'Disk full' });
    await system.mailed(scenario.address('ada'), 'Disk full');
    const away = await send(box.emailAddress, { subject: 'Away', headers: { 'Auto-Submitted': 'auto-replied' } });
    expect(await status(away)).toMatchObject({ success: true, alertId: '', status: expect.stringContaining('reply') });
    expect(await listed(box)).toHaveLength(1);
  });

  it('is ignored by a filter on From Address, and its request names the rule', async () => {
    const box = await mailbox();
    await system.api.expect(200, 'PUT', `/v2/integrations/${box.id}/actions`, {
      create: [{ name: 'Rest' }],
      ignore: [
        {
          name: 'Noise',
          filter: {
            conditionMatchType: 'Match All Conditions',
            conditions: [
              { field: 'From Address', isNot: false, operation: 'Ends With', expectedValue: '@noise.example' },
            ],
          },
        },
      ],
    });
    const ignored = await send(box.emailAddress, { subject: 'Disk full', from: 'cron@noise.example' });
    expect(await status(ignored)).toMatchObject({
      success: true,
      alertId: '',
      action: 'Create',
      status: `Ignored by action [Noise] of integration [${box.name}].`,
    });
    expect(await listed(box)).toEqual([]);
  });

  it('leaves its files with the alert (P13)', async () => {
    const box = await mailbox();
    const attachments = [
      { filename: 'größe.txt', content: 'hello', contentType: 'text/plain' },
      { filename: 'empty.bin', content: '' },
    ];
    await send(box.emailAddress, { subject: 'Disk full', attachments });
    const [alert] = await listed(box);
    expect(await system.api.read(`/v2/alerts/${alert?.id ?? ''}/attachments`)).toMatchObject([
      { name: 'größe.txt' },
      { name: 'empty.bin' },
    ]);
  });

  it('is refused where there is no such mailbox, or no more', async () => {
    const box = await mailbox();
    await expect(send('unknown@alerts.localhost', { subject: 'x' })).rejects.toMatchObject({ responseCode: 550 });
    await system.api.expect(200, 'POST', `/v2/integrations/${box.id}/disable`);
    await expect(send(box.emailAddress, { subject: 'x' })).rejects.toMatchObject({ responseCode: 550 });
  });
});
