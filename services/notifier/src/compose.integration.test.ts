import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { NoticeCommands, Pages } from '@tocsin/events';
import { CodeSealer } from '@tocsin/http';
import { composeService, type Lifecycle } from '@tocsin/service';
import { eventually, startPushService } from '@tocsin/testkit';
import { vapidKeys } from './channels/push/vapid.ts';
import { compose } from './compose.ts';
import { Config } from './config.ts';
import { invitation, verification } from './testing/notice-samples.ts';
import { ada, cancel, page } from './testing/page-samples.ts';
import { newInstallation, type TestInstallation } from './testing/installation.ts';

const [newAlert] = ada().notificationRules;
if (newAlert === undefined) throw new Error('the sample has no rule');
const step = (id: string, to: string, sendAfterMinutes: number) => ({
  id,
  contact: { method: 'email' as const, to },
  sendAfterMinutes,
  enabled: true,
});

let installation: TestInstallation;
let clock: ManualClock;
let lifecycle: Lifecycle;

const VAPID_PRIVATE_KEY = Buffer.alloc(32, 7).toString('base64');

/** Starts the service as its process does, in this one, on a clock that stands where the samples begin. */
async function start(): Promise<void> {
  const config = Config.parse({
    ...installation.environment,
    LOG_LEVEL: 'silent',
    VAPID_PRIVATE_KEY,
    WEBHOOK_ALLOWED_RANGES: '127.0.0.1',
  });
  ({ lifecycle } = await composeService({ name: 'notifier', config, compose, clock }));
}

beforeAll(async () => {
  installation = await newInstallation();
  clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  await start();
});

afterAll(async () => {
  await lifecycle.stop();
  await installation.close();
});

async function decided(wanted: string): Promise<void> {
  await eventually(() => {
    const texts = installation.decisions.flatMap(({ decision }) => decision.findings.map(({ text }) => text));
    expect(texts.join('\n')).toContain(wanted);
  });
}

async function acknowledged(): Promise<void> {
  const { database, publisher } = installation;
  await publisher.publish(Pages, [cancel()]);
  await eventually(async () => {
    expect(await database.collection('deliveries').countDocuments({ 'next.cancelReason': /acknowledged/ })).toBe(1);
  });
}

const pass = (minutes: number) => {
  clock.advance(minutes * 60_000);
};

describe('the service on real Kafka and MongoDB', () => {
  it('mails two contacts by two steps, each in its time, and repeats them until a user acknowledges', async () => {
    const { mailbox, publisher, publishUsers } = installation;
    const contacts = ['ada@example.com', 'ada@example.org'].map((to, index) => ({
      id: `c${index}`,
      method: 'email' as const,
      to,
      enabled: true,
    }));
    const steps = [step('s1', 'ada@example.com', 0), step('s2', 'ada@example.org', 5)];
    const repeat = { enabled: true, loopAfterMinutes: 10 };
    await publishUsers(ada({ contacts, notificationRules: [{ ...newAlert, steps, repeat }] }));
    const paged = page({ pagedAt: clock.now().toISOString() });
    await publisher.publish(Pages, [paged, paged]);
    await mailbox.received('ada@example.com', 'Disk full');
    expect(mailbox.unexpected()).toEqual([]);
    pass(5);
    await mailbox.received('ada@example.org', 'Disk full');
    pass(5);
    await mailbox.received('ada@example.com', 'Disk full');
    await decided('(repetition 1)');
    await acknowledged();
    await lifecycle.stop();
    await start();
    pass(30);
    await decided('are not repeated any more: the alert was acknowledged');
    await decided('was not sent: the alert was acknowledged');
    expect(mailbox.unexpected()).toEqual([]);
  });

  it('mails a notice once however often it comes, and a name with line ends forges nothing', async () => {
    const { decisions, mailbox, publisher } = installation;
    const forged = 'Eve\r\nBcc: eve@example.com\r\n\r\nPay here';
    const notice = invitation({ fullName: forged, invitedBy: forged, at: clock.now().toISOString() });
    await publisher.publish(NoticeCommands, [notice, notice]);
    await publisher.publish(NoticeCommands, [notice]);
    const mail = await mailbox.received('ada@example.com', 'invites you');
    expect(mail.to).toEqual(['ada@example.com']);
    expect(mail.subject).toBe('Eve Bcc: eve@example.com Pay here invites you to Ops of Example');
    const expiresAt = new Date(clock.now().getTime() + 600_000).toISOString();
    const sealer = new CodeSealer([installation.environment['INTERNAL_SIGNING_KEY'] ?? '']);
    const order = verification({ at: clock.now().toISOString(), expiresAt });
    const code = { ...order, code: sealer.seal(order.noticeId, '314159') };
    await publisher.publish(NoticeCommands, [code, verification({ noticeId: 'n3', method: 'sms', to: '1-5551234' })]);
    await mailbox.received('ada@example.org', '314159');
    await decided('there is no channel for sms');
    await eventually(() => {
      const sent = decisions.filter(({ decision }) => decision.decisionId === 'deliver:notice:n2:1:sent');
      expect(sent).toMatchObject([{ key: 'ada', decision: { userId: 'ada' } }]);
    });
    expect(mailbox.unexpected()).toEqual([]);
    expect(JSON.stringify(decisions)).not.toContain('314159');
  });

  it('calls no push service at an address that is allowed for webhooks alone (U22)', async () => {
    const { publisher, publishUsers } = installation;
    const service = await startPushService();
    const keys = vapidKeys({
      vapidPrivateKey: VAPID_PRIVATE_KEY,
      vapidSubject: undefined,
      publicUrl: undefined,
      mailFrom: 'a@b.c',
    });
    const { endpoint, keys: of } = service.subscribe(keys?.publicKey ?? '');
    const contact = { method: 'mobile' as const, to: 'browser-1' };
    const steps = [{ id: 's', contact, sendAfterMinutes: 0, enabled: true }];
    await publishUsers(
      ada({
        id: 'ida',
        contacts: [{ id: 'b', ...contact, enabled: true, subscription: { endpoint, ...of } }],
        notificationRules: [{ ...newAlert, steps }],
      }),
    );
    await publisher.publish(Pages, [page({ userId: 'ida', pageId: 'to-browser', pagedAt: clock.now().toISOString() })]);
    await decided('it may not be called: its address is not public');
    expect(service.requests).toEqual([]);
    await service.stop();
  });

  it('continues after a page on which our own code fails, and logs at its alert that it is a dead letter', async () => {
    const { mailbox, publisher, publishUsers } = installation;
    const steps = [step('s1', 'ada@example.com', 1e15)];
    // On the same partition as grace, where there are two.
    const eve = ada({ id: 'eve0', notificationRules: [{ ...newAlert, steps }] });
    await publishUsers(eve, ada({ id: 'grace', username: 'grace@example.com' }));
    const of = (userId: string, pageId: string) =>
      page({ userId, pageId, alertId: `about ${pageId}`, pagedAt: clock.now().toISOString() });
    await publisher.publish(Pages, [of('grace', 'before'), of(eve.id, 'odd'), of('grace', 'behind')]);
    await mailbox.received('ada@example.com', 'Disk full');
    await mailbox.received('ada@example.com', 'Disk full');
    await decided('cannot be carried out and is a dead letter: RangeError');
    expect(installation.decisions.filter(({ decision }) => decision.alertId === 'about odd')).toMatchObject([
      { decision: { decisionId: 'dead-letter:page:odd' } },
    ]);
    expect(mailbox.unexpected()).toEqual([]);
  });
});
