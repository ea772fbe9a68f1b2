import { describe, expect, it } from '@jest/globals';
import { isFinal } from '../messages/delivery.ts';
import { useComponent } from '../testing/component-fixture.ts';
import { invitation, signInCode, verification } from '../testing/notice-samples.ts';

const setUp = useComponent();

describe('a notice', () => {
  it('becomes one mail however often it comes', async () => {
    const { notify, fireDue, mails } = await setUp();
    await notify(invitation(), invitation());
    await notify(invitation());
    await fireDue();
    await notify(invitation());
    await fireDue();
    expect(mails.map(({ subject, to }) => [to, subject])).toEqual([
      ['ada@example.com', 'owner@example.com invites you to Ops of Example'],
    ]);
  });

  it('verifies the address of an invitation in directory, once a mail server accepted it (U11)', async () => {
    const { answers, clock, notify, fireDue, stores } = await setUp([]);
    answers.push({ kind: 'temporary', reason: '451 busy' });
    await notify(invitation());
    await fireDue();
    expect(await stores.verifications()).toEqual([]);
    clock.advance(60_000);
    await fireDue();
    await notify(invitation());
    await fireDue();
    expect(await stores.verifications()).toEqual([
      { userId: 'ada', method: 'email', to: 'ada@example.com', at: '2026-01-01T00:01:00.000Z' },
    ]);
  });

  it('leaves a decision that says to whom it went', async () => {
    const { notify, fireDue, stores } = await setUp();
    await notify(invitation());
    await fireDue();
    expect((await stores.decisions()).at(-1)).toEqual({
      decisionId: 'deliver:notice:n1:1:sent',
      userId: 'ada',
      stage: 'deliver',
      at: '2026-01-01T00:00:00.000Z',
      findings: [
        {
          subject: 'delivery',
          outcome: 'sent',
          text: 'The invitation of ada@example.com was handed over: 250 ok.',
          facts: {
            deliveryId: 'notice:n1',
            noticeId: 'n1',
            userId: 'ada',
            username: 'ada@example.com',
            method: 'email',
            provider: 'smtp',
            to: 'ada@example.com',
            attempts: 1,
          },
        },
      ],
    });
  });

  it('is tried again with pauses after a temporary refusal, and for 15 minutes (U19)', async () => {
    const { notify, fireAll, fireDue, answers, mails, outcomes, clock } = await setUp();
    for (let count = 0; count < 60; count += 1) answers.push({ kind: 'temporary', reason: '451 busy' });
    await notify(invitation());
    await fireAll();
    expect(clock.now().getTime() - Date.parse(invitation().at)).toBeLessThan(1_000_000);
    expect(mails.length).toBeGreaterThan(10);
    expect(outcomes.at(-1)).toMatchObject({ outcome: 'failed', noticeId: 'n1', userId: 'ada', kind: 'invitation' });
    const tries = mails.length;
    clock.advance(3_600_000);
    await fireDue();
    expect(mails).toHaveLength(tries);
  });

  it('is not sent again when its server may have accepted it', async () => {
    const { notify, fireDue, answers, mails, outcomes, clock } = await setUp();
    answers.push({ kind: 'unknown', reason: 'the mail server fell silent' });
    await notify(verification());
    await fireDue();
    clock.advance(60_000);
    await fireDue();
    expect(mails).toHaveLength(1);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['failed']);
  });
});

describe('a verification code', () => {
  it('reaches its contact', async () => {
    const { notify, fireDue, mails } = await setUp();
    await notify(verification());
    await fireDue();
    expect(mails).toMatchObject([{ to: 'ada@example.org', subject: 'Your verification code' }]);
    expect(mails[0]?.text).toContain('314159');
  });

  it('that has expired by the time of its next try is not sent any more, and the log says so', async () => {
    const { notify, fireDue, answers, mails, outcomes, stores, clock } = await setUp();
    answers.push({ kind: 'temporary', reason: '451 busy' });
    await notify(verification());
    await fireDue();
    clock.advance(600_000);
    await fireDue();
    expect(mails).toHaveLength(1);
    expect(outcomes.at(-1)).toEqual({
      kind: 'contact-verification',
      noticeId: 'n2',
      userId: 'ada',
      outcome: 'dropped',
      text: 'The verification code for a contact of ada@example.com was not sent: the code has expired.',
    });
    expect((await stores.stored()).every(isFinal)).toBe(true);
  });

  it.each(['sms', 'voice', 'mobile'] as const)(
    'by %s is said to have no channel, once, and is left',
    async (method) => {
      const { notify, fireDue, mails, outcomes, said, stores, clock } = await setUp();
      await notify(verification({ method, to: '1-5551234' }));
      await notify(verification({ method, to: '1-5551234' }));
      clock.advance(3_600_000);
      await fireDue();
      expect(mails).toEqual([]);
      expect(await stores.stored()).toEqual([]);
      expect(await said()).toEqual(['notice skipped']);
      expect(outcomes).toEqual([
        {
          kind: 'contact-verification',
          noticeId: 'n2',
          userId: 'ada',
          outcome: 'skipped',
          text: `The verification code for a contact of ada@example.com is not sent: there is no channel for ${method}.`,
        },
      ]);
    },
  );

  it.each([
    ['a contact', verification],
    ['a sign-in', signInCode],
  ])('of %s is sealed in the queue until its message is written', async (_, noticeOf) => {
    const code = '31415926';
    const { notify, fireDue, answers, mails, stores } = await setUp();
    answers.push({ kind: 'temporary', reason: '451 busy' });
    await notify(noticeOf({ code }));
    await fireDue();
    expect(mails[0]?.text.replaceAll(' ', '')).toContain(code);
    const rows = JSON.stringify(await stores.rows());
    expect(rows).toContain(noticeOf({ code }).code);
    expect(rows).not.toContain(code);
  });

  it.each([
    ['a contact', verification],
    ['a sign-in', signInCode],
  ])(
    'of %s stands in no decision, no log line and no row that stays, whatever the server makes of its mail',
    async (_, noticeOf) => {
      const code = '314159';
      for (const kind of ['accepted', 'permanent', 'temporary', 'unknown'] as const) {
        const { notify, fireDue, answers, outcomes, stores, clock } = await setUp();
        answers.push(
          kind === 'accepted' ? { kind, response: `250 ${code}` } : { kind, reason: `no: your code is ${code}` },
        );
        await notify(noticeOf({ code }));
        await fireDue();
        clock.advance(3_600_000);
        await fireDue();
        expect(outcomes).not.toHaveLength(0);
        expect(JSON.stringify([await stores.decisions(), outcomes, await stores.rows()])).not.toContain(code);
      }
    },
  );
});
