import { describe, expect, it } from '@jest/globals';
import { Interruptions, interruptionsOf } from './interruptions.ts';

const again = (username: string, repeat: number) => ({
  log: `The e-mail to ${username} is sent again: its sending was interrupted and it may have arrived; repeat ${repeat} of at most 5.`,
});
const [ADA, BOB] = ['first0@failure.example.com', 'second0@failure.example.com'];

describe('the interruptions of a page', () => {
  it('are those of its user alone', () => {
    const log = [again(ADA, 2), again(ADA, 1), { log: `The SMS to ${BOB} was handed over: 250 taken.` }];
    expect(interruptionsOf(log, ADA)).toBe(2);
    expect(interruptionsOf(log, BOB)).toBe(0);
  });

  it('are counted in a bundle too, and once where two entries are about one', () => {
    const bundled = {
      log: `The SMS to ${BOB}, with 1 other page in one message, is tried again at 2026-12-01T03:33:14.000Z: its sending was interrupted and it may have arrived; repeat 1 of at most 5.`,
    };
    expect(interruptionsOf([bundled, again(BOB, 1)], BOB)).toBe(1);
  });

  it('are none where one entry says so and another names the user', () => {
    const log = [{ log: `The e-mail to ${ADA} was handed over.` }, again(BOB, 1)];
    expect(interruptionsOf(log, ADA)).toBe(0);
    expect(interruptionsOf([{ log: `The e-mail to ${ADA} failed: no answer (it may have arrived).` }], ADA)).toBe(0);
  });
});

describe('the logs of pages that came more than once', () => {
  const arrival = (to: string, alias = 'run-1') => ({ alias, to, at: 1 });
  const PHONE = '+15555550001';
  const usernameOf = (address: string): string => (address === PHONE ? BOB : address);

  /** Reads with a log that is answered `status`; resolves with the aliases that were asked for, and whether all is explained. */
  async function read(interruptions: Interruptions, arrivals: readonly ReturnType<typeof arrival>[], status = 200) {
    const asked: string[] = [];
    const areExplained = await interruptions.read(arrivals, {
      read: (alias) => {
        asked.push(alias);
        return Promise.resolve({ status, error: undefined, body: status === 200 ? { data: [again(BOB, 1)] } : {} });
      },
      usernameOf,
      say: () => undefined,
    });
    return { areExplained, asked };
  }

  it('are read for those alone, and by the name of the user of the address', async () => {
    const interruptions = new Interruptions();
    const arrivals = [arrival(PHONE), arrival(PHONE), arrival(ADA), arrival(ADA, 'run-2')];
    expect(await read(interruptions, arrivals)).toEqual({ areExplained: true, asked: ['run-1'] });
    expect([...interruptions.counts]).toEqual([[`run-1 to ${PHONE}`, 1]]);
  });

  it('are read again where they were not answered, or the page came once more', async () => {
    const interruptions = new Interruptions();
    const twice = [arrival(PHONE), arrival(PHONE)];
    expect(await read(interruptions, twice, 503)).toEqual({ areExplained: false, asked: ['run-1'] });
    expect(interruptions.counts.size).toBe(0);
    expect(await read(interruptions, twice)).toEqual({ areExplained: true, asked: ['run-1'] });
    expect(await read(interruptions, twice)).toEqual({ areExplained: true, asked: [] });
    expect(await read(interruptions, [...twice, arrival(PHONE)])).toEqual({ areExplained: false, asked: ['run-1'] });
  });
});
