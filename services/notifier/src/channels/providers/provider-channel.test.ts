import { beforeEach, describe, expect, it } from '@jest/globals';
import { beginAttempt, type SendResult } from '../../messages/attempts.ts';
import { deliveryOf, page } from '../../testing/page-samples.ts';
import type { AttemptReference } from '../channel.ts';
import { ProviderChannel } from './provider-channel.ts';

const delivery = beginAttempt(deliveryOf(page()));
const OK: SendResult = { kind: 'accepted', response: 'ok' };
const BUSY: SendResult = { kind: 'temporary', reason: 'busy' };

let nowMs: number;
/** The answer of each provider. */
let answers: Record<string, SendResult>;
let asked: string[];
let changes: string[];
let channel: ProviderChannel<string>;

const provider = (name: string) => ({
  name,
  send: () => {
    asked.push(name);
    return Promise.resolve(answers[name] ?? OK);
  },
});

beforeEach(() => {
  nowMs = 0;
  answers = {};
  asked = [];
  changes = [];
  channel = new ProviderChannel({
    write: ({ to }) => to,
    providers: [provider('one'), provider('two')],
    onSkipped: (name, reason) => changes.push(`${name} ${reason}`),
    onBack: (name) => changes.push(`${name} back`),
    now: () => nowMs,
  });
});

/** The first provider has taken nothing for half a minute, and refuses three messages. */
async function broken(): Promise<void> {
  answers['one'] = BUSY;
  nowMs = 30_000;
  for (let time = 0; time < 3; time += 1) await channel.send(delivery);
  asked = [];
}

describe('a channel with several providers', () => {
  it('uses the first provider, and names it in the result', async () => {
    expect(await channel.send(delivery)).toEqual({ provider: 'one', result: OK });
    expect(channel.providers).toEqual(['one', 'two']);
  });

  it('gives a message to a provider that takes it alone, and names those that do', async () => {
    const taking = (name: string, kind: string) => ({ ...provider(name), takes: (to: string) => to.startsWith(kind) });
    const mixed = new ProviderChannel({
      write: ({ to }) => to,
      providers: [taking('one', 'topic'), taking('two', 'browser')],
      onSkipped: () => undefined,
      onBack: () => undefined,
    });
    answers['two'] = { kind: 'permanent', reason: 'no' };
    expect(await mixed.send({ ...delivery, to: 'browser-1' })).toEqual({
      provider: 'two',
      result: answers['two'],
      takenBy: ['two'],
    });
    expect(await mixed.send({ ...delivery, to: 'topic-1' })).toEqual({ provider: 'one', result: OK, takenBy: ['one'] });
    expect(await mixed.send({ ...delivery, to: 'fax-1' })).toEqual({
      provider: undefined,
      result: { kind: 'temporary', reason: 'no provider for such a device is set up' },
    });
    expect(asked).toEqual(['two', 'one']);
  });

  it('gives the URL for receipts of the attempt to a provider that sends them, and reports that a receipt will come', async () => {
    const references: AttemptReference[] = [];
    const send = (_: string, attempt: AttemptReference) => {
      references.push(attempt);
      return Promise.resolve(OK);
    };
    const asking = (sendsReceipts: boolean) =>
      new ProviderChannel({
        write: ({ to }) => to,
        providers: [{ name: 'one', sendsReceipts, send }],
        onSkipped: () => undefined,
        onBack: () => undefined,
        callbackUrl: (name, { attempt }) => `https://tocsin.example.com/${name}/${attempt}`,
      });
    const [asked, silent] = [await asking(true).send(delivery), await asking(false).send(delivery)];
    expect([asked, silent]).toEqual([
      { provider: 'one', result: OK, awaitsReceipt: true },
      { provider: 'one', result: OK },
    ]);
    const { deliveryId } = delivery;
    expect(references).toEqual([
      { deliveryId, attempt: 1, callbackUrl: 'https://tocsin.example.com/one/1' },
      { deliveryId, attempt: 1 },
    ]);
  });

  it('reports each accepted message before its result, and no other', async () => {
    const said: string[] = [];
    const reporting = new ProviderChannel({
      write: ({ to }) => to,
      providers: [provider('one')],
      onSkipped: () => undefined,
      onBack: () => undefined,
      onAccepted: async (name) => {
        await Promise.resolve();
        said.push(`${name} accepted`);
      },
    });
    answers['one'] = BUSY;
    await reporting.send(delivery);
    answers['one'] = { kind: 'permanent', reason: 'no' };
    await reporting.send(delivery);
    answers = {};
    said.push((await reporting.send(delivery)).result.kind);
    expect(said).toEqual(['one accepted', 'accepted']);
  });

  it('asks the next for a message that the first has refused', async () => {
    expect(await channel.send({ ...delivery, refusedBy: ['one'] })).toMatchObject({ provider: 'two' });
    expect(asked).toEqual(['two']);
  });

  it('asks no provider for a message that all have refused', async () => {
    const { provider: none, result } = await channel.send({ ...delivery, refusedBy: ['two', 'one'] });
    expect([none, result.kind, asked]).toEqual([undefined, 'permanent', []]);
  });

  it('skips the first provider while it refuses all, so that pages go to the next at once', async () => {
    await broken();
    expect(await channel.send(delivery)).toEqual({ provider: 'two', result: OK });
    expect([asked, changes]).toEqual([['two'], ['one busy']]);
  });

  it('tries the first provider again with single messages, and uses it again when it accepts one', async () => {
    await broken();
    nowMs += 30_000;
    await Promise.all([channel.send(delivery), channel.send(delivery)]);
    expect(asked.toSorted()).toEqual(['one', 'two']);
    answers = {};
    nowMs += 30_000;
    await channel.send(delivery);
    await channel.send(delivery);
    expect(asked.slice(2)).toEqual(['one', 'one']);
    expect(changes).toEqual(['one busy', 'one back']);
  });

  it('uses a skipped provider where no other is left', async () => {
    await broken();
    expect(await channel.send({ ...delivery, refusedBy: ['two'] })).toEqual({ provider: 'one', result: BUSY });
  });

  it('does not pass over one for messages that another process took over meanwhile: they may not have gone out', async () => {
    answers['one'] = BUSY;
    nowMs = 30_000;
    for (let time = 0; time < 9; time += 1) await channel.send(delivery, () => false);
    expect([new Set(asked), changes]).toEqual([new Set(['one']), []]);
  });

  it('does not pass over one that refuses messages for good: it works', async () => {
    answers['one'] = { kind: 'permanent', reason: 'no such number' };
    nowMs = 30_000;
    for (let time = 0; time < 9; time += 1) await channel.send(delivery);
    expect(new Set(asked)).toEqual(new Set(['one']));
  });
});

describe('a channel whose provider asks to wait (U7)', () => {
  const LIMITED: SendResult = { kind: 'temporary', reason: 'it answered 429', retryAfterMs: 60_000 };
  let untilMs: Record<string, number>;

  beforeEach(() => {
    untilMs = {};
    channel = new ProviderChannel({
      write: ({ to }) => to,
      providers: [provider('one'), provider('two')],
      onSkipped: () => undefined,
      onBack: () => undefined,
      pauseOf: (name) => ({
        remainingMs: () => Math.max(0, (untilMs[name] ?? 0) - nowMs),
        begin: (ms) => {
          untilMs[name] = nowMs + ms;
          return Promise.resolve();
        },
        end: () => {
          untilMs[name] = 0;
          return Promise.resolve();
        },
      }),
      rateOf: (name) => (name === 'two' ? { perSecond: 1, burst: 5 } : undefined),
      now: () => nowMs,
    });
  });

  it('asks the next provider at once, for this message and all others until then', async () => {
    answers['one'] = LIMITED;
    expect(await channel.send(delivery)).toEqual({
      provider: 'one',
      result: { ...LIMITED, reason: 'it answered 429 ([two] is asked next)', retryAfterMs: 0 },
    });
    expect(channel.slots()).toBe(5);
    await channel.send(delivery);
    nowMs = 59_999;
    await channel.send(delivery);
    nowMs = 60_000;
    await channel.send(delivery);
    expect(asked).toEqual(['one', 'two', 'two', 'one']);
  });

  it('asks it again after a minute, however long it asked to wait', async () => {
    answers['one'] = { ...LIMITED, retryAfterMs: 3_600_000 };
    await channel.send(delivery);
    nowMs = 60_000;
    await channel.send(delivery);
    expect(asked).toEqual(['one', 'one']);
  });

  it('lets a message wait for the first that takes messages again, and asks none meanwhile', async () => {
    answers = { one: LIMITED, two: { ...LIMITED, retryAfterMs: 40_000 } };
    await channel.send(delivery);
    expect(await channel.send(delivery)).toMatchObject({ provider: 'two', result: { retryAfterMs: 40_000 } });
    nowMs = 10_000;
    expect(await channel.send(delivery)).toEqual({
      provider: undefined,
      result: {
        kind: 'temporary',
        reason: '[one], [two] asked to get no message for another 30 s',
        retryAfterMs: 30_000,
      },
    });
    expect(await channel.send({ ...delivery, refusedBy: ['two'] })).toMatchObject({ result: { retryAfterMs: 50_000 } });
    expect(asked).toEqual(['one', 'two']);
  });

  it('asks a provider once more for a message whose time ends, and gives it messages again when it takes that one', async () => {
    answers['one'] = LIMITED;
    const only = { ...delivery, refusedBy: ['two'] };
    await channel.send(only);
    answers = {};
    expect(await channel.send(only)).toMatchObject({ provider: undefined });
    expect(await channel.send(only, undefined, true)).toEqual({ provider: 'one', result: OK });
    await channel.send(delivery);
    expect(asked).toEqual(['one', 'one', 'one']);
  });

  it('gives a provider the next message after it refused one for the limit of one recipient', async () => {
    answers['one'] = { ...LIMITED, isLimitOfRecipient: true };
    expect(await channel.send(delivery)).toEqual({ provider: 'one', result: answers['one'] });
    await channel.send(delivery);
    expect(asked).toEqual(['one', 'one']);
  });
});

describe('a message that cannot be written', () => {
  it('is refused for good and given to no provider', async () => {
    const faulty = new ProviderChannel<string>({
      write: () => {
        throw new TypeError('no name');
      },
      providers: [provider('one')],
      onSkipped: () => undefined,
      onBack: () => undefined,
    });
    const reason = 'it cannot be written (TypeError: no name)';
    expect(await faulty.send(delivery)).toEqual({ provider: undefined, result: { kind: 'permanent', reason } });
    expect(asked).toEqual([]);
  });
});

describe('a channel whose provider has a rate (U8)', () => {
  const rated = (perSecond: number, burst = 2) =>
    new ProviderChannel({
      write: ({ to }) => to,
      providers: [provider('one'), provider('two')],
      onSkipped: (name, reason) => changes.push(`${name} ${reason}`),
      onBack: (name) => changes.push(`${name} back`),
      rateOf: (name) => (name === 'one' ? { perSecond, burst } : undefined),
      now: () => nowMs,
    });

  it('says how many messages it accepts at this instant', async () => {
    channel = rated(1);
    expect(channel.slots()).toBe(2);
    await channel.send(delivery);
    expect(channel.slots()).toBe(1);
    await channel.send(delivery);
    expect(channel.slots()).toBe(0);
    nowMs += 1_000;
    expect(channel.slots()).toBe(1);
    nowMs += 3_600_000;
    expect(channel.slots()).toBe(2);
  });

  it('sends nothing beyond it: the message is tried again, and does not go to another provider', async () => {
    channel = rated(0.1);
    for (let time = 0; time < 3; time += 1) await channel.send(delivery);
    expect(asked).toEqual(['one', 'one']);
    expect(await channel.send(delivery)).toEqual({
      isOverRate: true,
      provider: undefined,
      result: { kind: 'temporary', reason: '[one] takes no more messages for now, by its rate' },
    });
    expect(changes).toEqual([]);
  });

  it('has no limit without a rate, or where it uses a provider without one', async () => {
    channel = rated(1, 10);
    await broken();
    expect(channel.slots()).toBe(Infinity);
  });
});
