import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { OutgoingCaller } from '@tocsin/http';
import { startTelegram, TELEGRAM_BOT, type TelegramDouble } from '@tocsin/testkit';
import { BotClient, type ReadUpdates } from './client.ts';
import type { LinkAnswer } from './link-client.ts';
import { TakeUpdates } from './operations.ts';
import { ReadBot } from './task.ts';
import type { Update } from './update.ts';

const [ADA, BOB] = ['7001', '7002'];
const GOING = new AbortController().signal;

let telegram: TelegramDouble;
let used: string[];
let answer: LinkAnswer | Error;
let failures: (string | undefined)[];

beforeEach(async () => {
  telegram = await startTelegram();
  [used, failures] = [[], []];
  answer = { result: 'linked', username: 'ada@example.com' };
});
afterEach(() => telegram.stop());

/** A process that may read, by the tokens that the operator gave it. */
function reader({ isHeld = true, token = TELEGRAM_BOT.token }: { isHeld?: boolean; token?: string } = {}) {
  const outgoing = new OutgoingCaller({ allowedRanges: ['127.0.0.1'] });
  const client = new BotClient({ url: telegram.url, token }, outgoing);
  const lease = { isHeld };
  const links = {
    use: (code: string, account: string) => {
      used.push(`${code} by ${account}`);
      return Error.isError(answer) ? Promise.reject(answer) : Promise.resolve(answer);
    },
    remove: (account: string) => {
      used.push(`removed by ${account}`);
      return Error.isError(answer) ? Promise.reject(answer) : Promise.resolve(answer.username);
    },
  };
  const presses = { take: () => Promise.reject(new Error('it is no press')) };
  const onFailure = (error: unknown): void => {
    throw error;
  };
  const onRead = (failure: string | undefined): Promise<void> => {
    failures.push(failure);
    return Promise.resolve();
  };
  const bot = new ReadBot({
    client,
    updates: new TakeUpdates({ bot: client, links, presses, onPress: () => undefined, onFailure, now: () => 0 }),
    isLeased: () => lease.isHeld,
    onRead,
  });
  return { lease, look: (stopping = GOING) => bot.activate(stopping) };
}

const said = (chat = ADA): readonly string[] => telegram.posts(chat).map(({ content }) => String(content['text']));

describe('what people write to the bot', () => {
  it('is the code of a link, which the account uses, and the bot says what came of it', async () => {
    telegram.says(ADA, '/start the-code');
    const { look } = reader();
    expect(await look()).toEqual({ pauseMs: 0 });
    expect(used).toEqual([`the-code by ${ADA}`]);
    expect(said()).toEqual([expect.stringContaining('is a device of ada@example.com now')]);
  });

  it.each([
    [{ result: 'expired' }, 'this link has expired, or was used'],
    [{ result: 'elsewhere', username: 'b' }, 'a device of another user'],
    [{ result: 'full', username: 'ada@example.com' }, 'as many devices as a user may have'],
    [new UnavailableError('directory does not answer'), 'does not answer. Please open the link again'],
  ] as const)('is answered where nothing was changed: %j', async (given, text) => {
    answer = given;
    telegram.says(ADA, '/start the-code');
    await reader().look();
    expect(said()).toEqual([expect.stringMatching(new RegExp(`^Nothing was changed.*${text}`))]);
  });

  it('uses no link without a code, nor in a group, where the bot asks for a private chat', async () => {
    telegram.says(ADA, '/start');
    telegram.says(BOB, '/start the-code', 'group');
    telegram.says(BOB, 'hello');
    await reader().look();
    expect(used).toEqual([]);
    expect(said()).toEqual([expect.stringContaining('add a device of Telegram')]);
    expect(said(TELEGRAM_BOT.chat)).toEqual([expect.stringContaining('in a private chat')]);
    expect(said(BOB)).toEqual([]);
  });

  it.each([
    [{ result: 'linked', username: 'ada@example.com' }, 'This account is no device of ada@example.com any more'],
    [{ result: 'linked' }, 'Nothing was changed: this account is no device'],
    [new UnavailableError('directory does not answer'), 'does not answer. Please write /stop again'],
  ] as const)('ends the link of the account with /stop, and says so: %j', async (given, text) => {
    answer = given;
    telegram.says(ADA, '/stop');
    telegram.says(BOB, '/stop', 'group');
    await reader().look();
    expect(used).toEqual([`removed by ${ADA}`]);
    expect(said()).toEqual([expect.stringContaining(text)]);
    expect(said(TELEGRAM_BOT.chat)).toEqual([]);
  });

  it('is read no more than 20 times at once of one account, and of others in any case', async () => {
    for (let n = 0; n < 30; n += 1) telegram.says(ADA, `/start code-${n}`);
    telegram.says(BOB, '/start of-bob');
    const { look } = reader();
    for (let n = 0; n < 4; n += 1) await look();
    expect(used).toHaveLength(21);
    expect(used.at(-1)).toBe(`of-bob by ${BOB}`);
  });

  it('ends no link that is made after it, also where the process dies between', async () => {
    telegram.says(ADA, '/stop');
    telegram.says(ADA, '/start the-code');
    const { look } = reader();
    await look();
    await look();
    // The first process died here.
    await reader().look();
    expect(used).toEqual([`removed by ${ADA}`, `the-code by ${ADA}`, `the-code by ${ADA}`]);
  });

  it('is confirmed after its effect: another process reads again what the first had not confirmed', async () => {
    telegram.says(ADA, '/start the-code');
    await reader().look();
    // The first process died here.
    await reader().look();
    expect(used).toEqual([`the-code by ${ADA}`, `the-code by ${ADA}`]);
    expect(new Set(said()).size).toBe(1);
    expect(telegram.pending()).toBe(1);
  });

  it('is confirmed with the next look, and comes again after an effect that failed', async () => {
    const { look } = reader();
    telegram.says(ADA, '/start the-code');
    answer = new Error('the database does not answer');
    await expect(look()).rejects.toThrow('the database');
    answer = { result: 'linked', username: 'ada@example.com' };
    await look();
    telegram.says(BOB, '/start of-bob');
    await look();
    expect(telegram.pending()).toBe(1);
    expect(used).toEqual([`the-code by ${ADA}`, `the-code by ${ADA}`, `of-bob by ${BOB}`]);
  });
});

describe('the reader of the bot', () => {
  it('confirms updates once, because later ones may have lower ids', async () => {
    const offsets: (number | undefined)[] = [];
    const reads: (readonly Update[])[] = [[{ kind: 'other', id: 900 }], [], [{ kind: 'other', id: 5 }], []];
    const updates = (offset: number | undefined): Promise<ReadUpdates> => {
      offsets.push(offset);
      return Promise.resolve({ kind: 'read', updates: reads.shift() ?? [] });
    };
    const taken = { take: () => Promise.resolve() };
    const bot = new ReadBot({
      client: { updates },
      updates: taken,
      isLeased: () => true,
      onRead: () => Promise.resolve(),
    });
    for (let n = 0; n < 5; n += 1) await bot.activate(GOING);
    expect(offsets).toEqual([undefined, 901, undefined, 6, undefined]);
  });

  it('asks nothing without the lease, and takes nothing once it has lost it', async () => {
    telegram.says(ADA, '/start the-code');
    const { lease, look } = reader({ isHeld: false });
    expect((await look()).pauseMs).toBeGreaterThan(0);
    expect(telegram.requests).toEqual([]);
    lease.isHeld = true;
    const looked = look();
    while (telegram.requests.length === 0) await new Promise(setImmediate);
    lease.isHeld = false;
    await looked;
    expect([telegram.requests.length, used]).toEqual([1, []]);
  });

  it('ends its call at the stop, and where another program reads', async () => {
    const stopping = new AbortController();
    const [stopped, other] = [reader().look(stopping.signal), reader()];
    while (telegram.requests.length === 0) await new Promise(setImmediate);
    stopping.abort();
    expect(await stopped).toEqual({ pauseMs: 0 });
    const replaced = other.look();
    while (telegram.requests.length === 1) await new Promise(setImmediate);
    telegram.says(BOB, '/start of-bob');
    expect(await replaced).toEqual({ pauseMs: 0 });
    expect(used).toEqual([`of-bob by ${BOB}`]);
  });

  it('says that another program reads the updates, and pauses', async () => {
    const one = reader().look();
    while (telegram.requests.length === 0) await new Promise(setImmediate);
    const two = reader().look();
    expect(await one).toEqual({ pauseMs: 60_000 });
    expect(failures).toEqual([expect.stringContaining('another program reads the updates of the bot too')]);
    telegram.says(ADA, '/start the-code');
    await two;
    expect(failures).toEqual([expect.anything(), undefined]);
  });

  it('says that the token is wrong, without the token', async () => {
    const token = '123456789:BB-another-token_of_a_bot';
    expect(await reader({ token }).look()).toEqual({ pauseMs: 60_000 });
    expect(failures).toEqual(['it answered 401: Unauthorized (the token is wrong, or was revoked)']);
    await telegram.stop();
    expect(await reader({ token }).look()).toEqual({ pauseMs: 5_000 });
    expect(failures.join()).not.toContain(token);
    telegram = await startTelegram();
  });
});
