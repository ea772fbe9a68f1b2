import { describe, expect, it } from '@jest/globals';
import { DELIVERIES } from '../messages/delivery-document.ts';
import { collectionOf } from '@tocsin/mongo';
import { useComponent } from '../testing/component-fixture.ts';
import { invitation, verification } from '../testing/notice-samples.ts';
import { ada, page } from '../testing/page-samples.ts';
import { openWebhookFixture } from '../testing/webhook-fixture.ts';
import { webhookCommand, webhookSettings } from '../testing/webhook-samples.ts';

const component = useComponent();

describe('messages that are due while shadow is on (M1)', () => {
  it('are recorded with what would have gone where and when, and are never sent later', async () => {
    const { fireAll, heldBack, mails, said, settle, shadow, stores, texts } = await component();
    shadow.state = 'on';
    await settle(page());
    expect(await said()).toContain('delivery held-back');
    expect((await texts()).at(-1)).toBe(
      'The mail to ada@example.com was not sent: shadow. It would have gone to ada@example.com.',
    );
    const [last] = (await stores.decisions()).slice(-1);
    expect(last?.findings[0]?.facts).toMatchObject({
      username: 'ada@example.com',
      method: 'email',
      to: 'ada@example.com',
      about: 'create-alert',
      dueAt: '2026-01-01T00:00:00.000Z',
    });
    shadow.state = 'off';
    await fireAll();
    expect(mails).toEqual([]);
    expect(heldBack).toEqual(['email']);
    await settle(page({ pageId: 'next', alertId: 'a2' }));
    expect(mails).toHaveLength(1);
  });

  it('are steps and repetitions that were planned before, each at its time', async () => {
    const contact = { method: 'email' as const, to: 'ada@example.com' };
    const steps = [0, 5].map((sendAfterMinutes) => ({
      id: `s${sendAfterMinutes}`,
      contact,
      sendAfterMinutes,
      enabled: true,
    }));
    const user = ada({
      notificationRules: ada().notificationRules.map((rule) => ({
        ...rule,
        steps,
        repeat: { enabled: true, loopAfterMinutes: 10 },
      })),
    });
    const { clock, fireDue, mails, said, settle, shadow } = await component([user]);
    await settle(page());
    expect(mails).toHaveLength(1);
    shadow.state = 'on';
    clock.advance(5 * 60_000);
    await fireDue();
    clock.advance(5 * 60_000);
    await fireDue();
    expect(mails).toHaveLength(1);
    expect((await said()).filter((each) => each === 'delivery held-back')).toHaveLength(2);
  });

  it('are those that are tried again after a refusal', async () => {
    const { answers, fireAll, mails, said, settle, shadow } = await component();
    answers.push({ kind: 'temporary', reason: '451 later' });
    await settle(page());
    shadow.state = 'on';
    await fireAll();
    expect(mails).toHaveLength(1);
    expect((await said()).slice(-2)).toEqual(['delivery retrying', 'delivery held-back']);
  });

  it('are invitations, and no codes, which people ask for (M2)', async () => {
    const { mails, notify, outcomes, shadow } = await component();
    shadow.state = 'on';
    await notify(invitation(), verification({ method: 'email', expiresAt: '2026-01-01T01:00:00Z' }));
    expect(mails).toHaveLength(1);
    expect(outcomes.map(({ kind, outcome }) => [kind, outcome])).toEqual(
      expect.arrayContaining([
        ['invitation', 'held-back'],
        ['contact-verification', 'sent'],
      ]),
    );
  });
});

describe('messages while a process does not know the switch (M3)', () => {
  it('wait, and are sent or held back once it knows', async () => {
    const { fireAll, mails, said, settle, shadow } = await component();
    shadow.state = 'unknown';
    await settle(page());
    expect([mails, await said()]).toEqual([[], expect.not.arrayContaining(['delivery held-back'])]);
    shadow.state = 'off';
    await fireAll();
    expect(mails).toHaveLength(1);
  });

  it('are not handed over where they were begun before, and are held back once shadow is known to be on', async () => {
    const { fireAll, mails, said, settle, shadow, stores } = await component();
    // As where the switch changes between the check and the hand-over: the check sees it off.
    let looks = 0;
    Object.defineProperty(shadow, 'state', { configurable: true, get: () => ((looks += 1) <= 2 ? 'off' : 'on') });
    await settle(page());
    expect(mails).toEqual([]);
    await fireAll();
    expect((await said()).at(-1)).toBe('delivery held-back');
    expect(await collectionOf(stores.connection, DELIVERIES).countDocuments({ state: 'held-back' })).toBe(1);
  });
});

describe('events for webhooks and channels of chat in shadow', () => {
  it('are recorded and not sent, in their order, also where the receiver is paused', async () => {
    const fixture = await openWebhookFixture();
    try {
      fixture.shadow.state = 'on';
      fixture.settings.set(
        'chat',
        webhookSettings({
          id: 'chat',
          name: 'Ops',
          chat: { provider: 'slack', channel: 'c', token: 't', thread: 'all' },
        }),
      );
      await fixture.settle(
        webhookCommand({ integrationIds: ['hook', 'chat'] }),
        webhookCommand({ integrationIds: ['hook', 'chat'], action: 'Close', version: 2 }),
      );
      await fixture.fireDue();
      await fixture.fireDue();
      expect(fixture.calls).toEqual([]);
      expect(fixture.heldBack.toSorted()).toEqual(['chat', 'chat', 'webhook', 'webhook']);
      expect(await fixture.said()).toEqual(
        expect.arrayContaining([
          'The webhook [Hook] was not notified of Create: shadow.',
          'The chat channel [Ops] was not notified of Close: shadow.',
        ]),
      );
      fixture.shadow.state = 'off';
      await fixture.fireDue();
      expect(fixture.calls).toEqual([]);
      await fixture.settle(webhookCommand({ alertId: 'a2' }));
      await fixture.fireDue();
      expect(fixture.calls).toHaveLength(1);
    } finally {
      await fixture.close();
    }
  });
});
