import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import type { AlertState, ConsumedBatch, Page, UserState } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import type { SendResult } from '../domain/delivery.ts';
import type { Mail } from '../domain/mail.ts';
import { ada, alertEvent, page } from '../domain/page.samples.ts';
import { MemoryNotificationStore } from '../storage/memory-notification-store.ts';
import { Deliver } from './deliver.ts';
import { ExpandPages } from './expand-pages.ts';

const batch = <T>(value: T): ConsumedBatch<T> => ({
  topic: 't',
  partition: 0,
  clusterId: 'c1',
  records: [{ offset: 0, key: 'k', timestampMs: 0, value }],
});

function setUp(users: Partial<Record<string, UserState>> = { ada: ada() }) {
  const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  const store = new MemoryNotificationStore();
  const mails: Mail[] = [];
  const answers: SendResult[] = [];
  const handedOver: number[] = [];
  const deliver = new Deliver({
    store,
    mail: {
      send: (mail) => {
        mails.push(mail);
        return Promise.resolve(answers.shift() ?? { kind: 'accepted', response: '250 ok' });
      },
    },
    clock,
    random: () => 0,
    onHandedOver: (seconds) => handedOver.push(seconds),
    sender: { accountName: 'Tocsin', messageIdHost: 'tocsin.invalid' },
    portion: 2,
    leaseMs: 60_000,
  });
  const expand = new ExpandPages({
    store,
    users: { get: (id) => users[id], fetch: (_, id) => Promise.resolve(users[id]) },
    channels: new Set(['email']),
  });
  return {
    store,
    mails,
    answers,
    handedOver,
    clock,
    settle: (each: Page) => expand.settle(batch(each)),
    alertIs: (version: number, change: Partial<AlertState>) => store.settleAlerts(batch(alertEvent(version, change))),
    fireDue: () =>
      deliver.deliver([...store.timers].filter(([, dueAt]) => dueAt <= clock.now()).map(([id]) => ({ id }))),
    said: () => store.decisions.flatMap(({ verdicts }) => verdicts.map(({ outcome }) => outcome)),
  };
}

describe('a page', () => {
  it('becomes a mail to the user, once, and the log says so', async () => {
    const { settle, fireDue, mails, said, handedOver, clock } = setUp();
    await settle(page());
    await settle(page());
    clock.advance(250);
    await fireDue();
    await fireDue();
    expect(mails.map(({ to }) => to)).toEqual(['ada@example.com']);
    expect(said()).toEqual(['scheduled', 'sent']);
    expect(handedOver).toEqual([0.25]);
  });

  it('is not sent after an acknowledgement, and the log says why', async () => {
    const { settle, alertIs, fireDue, mails, said } = setUp();
    await settle(page());
    await alertIs(2, { acknowledged: true });
    await fireDue();
    expect(mails).toEqual([]);
    expect(said()).toEqual(['scheduled', 'dropped']);
  });

  it('that is wanted while the alert is open is sent after an acknowledgement and not after a close', async () => {
    const { settle, alertIs, fireDue, mails } = setUp();
    await alertIs(2, { acknowledged: true });
    await settle(page({ wantedWhile: 'open' }));
    await fireDue();
    expect(mails).toHaveLength(1);
    await settle(page({ pageId: 'second', wantedWhile: 'open' }));
    await alertIs(3, { status: 'closed' });
    await fireDue();
    expect(mails).toHaveLength(1);
  });

  it('is tried again after a temporary refusal, and given up after a permanent one', async () => {
    const { settle, answers, fireDue, mails, said, clock } = setUp();
    answers.push({ kind: 'temporary', reason: '451 busy' }, { kind: 'permanent', reason: '550 no such user' });
    await settle(page());
    await fireDue();
    await fireDue();
    expect(mails).toHaveLength(1);
    clock.advance(2_000);
    await fireDue();
    clock.advance(3_600_000);
    await fireDue();
    expect(mails).toHaveLength(2);
    expect(said()).toEqual(['scheduled', 'retrying', 'failed']);
  });

  it('is handed over whatever stands before it in the queue', async () => {
    const { settle, fireDue, mails } = setUp();
    for (let number = 0; number < 5; number += 1) await settle(page({ pageId: `page ${number}` }));
    await fireDue();
    expect(mails).toHaveLength(5);
  });

  it('of somebody who is not known is said to reach nobody', async () => {
    const { settle, fireDue, mails, said } = setUp({});
    await settle(page());
    await fireDue();
    expect(mails).toEqual([]);
    expect(said()).toEqual(['skipped']);
  });

  it('waits while the owner of the users cannot be asked', async () => {
    const store = new MemoryNotificationStore();
    const expand = new ExpandPages({
      store,
      users: { get: () => undefined, fetch: () => Promise.reject(new UnavailableError('Directory is away.')) },
      channels: new Set(['email']),
    });
    expect(await expand.settle(batch(page()))).toEqual({ outcome: 'retry', reason: 'Directory is away.' });
    expect(store.decisions).toEqual([]);
  });
});
