import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { UnavailableError } from '@tocsin/core';
import { Admission } from './admission.ts';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

interface Bounds {
  readonly atOnce: number;
  readonly waiting: number;
  readonly waitMs: number;
  /** Of those at once and of those waiting, how many may be one caller's; all unless given. */
  readonly each?: number;
}

/** Requests by number, all of one caller unless said otherwise, and what became of them. */
function admissionOf({ atOnce, waiting, waitMs, each = Infinity }: Bounds) {
  const bounds = { inAll: atOnce, each, waiting: { inAll: waiting, each }, waitMs };
  const admission = new Admission(bounds);
  const entered: number[] = [];
  const refused: number[] = [];
  let requests = 0;
  const come = async (caller = 'a'): Promise<void> => {
    const request = (requests += 1);
    void admission.acquire(caller).then(
      () => entered.push(request),
      (error: unknown) => error instanceof UnavailableError && refused.push(request),
    );
    await answered();
  };
  return { admission, entered, refused, come };
}

/** Resolves once every request has its answer. */
const answered = (): Promise<unknown> => jest.advanceTimersByTimeAsync(0);

describe('Admission', () => {
  it('admits as many requests as the limit, and each further one when one ends, in the order of their arrival', async () => {
    const { admission, entered, come } = admissionOf({ atOnce: 2, waiting: 5, waitMs: 1_000 });
    for (let caller = 0; caller < 4; caller += 1) await come();
    expect(entered).toEqual([1, 2]);
    admission.release('a');
    await answered();
    expect(entered).toEqual([1, 2, 3]);
    admission.release('a');
    await answered();
    expect(entered).toEqual([1, 2, 3, 4]);
  });

  it('refuses a request at once while as many wait as may wait, and admits the next one when one has ended', async () => {
    const { admission, refused, entered, come } = admissionOf({ atOnce: 1, waiting: 1, waitMs: 1_000 });
    await come();
    expect(admission.isFull).toBe(false);
    await come();
    expect(admission.isFull).toBe(true);
    await come();
    expect(refused).toEqual([3]);
    admission.release('a');
    await come();
    expect([entered, refused]).toEqual([[1, 2], [3]]);
    admission.release('a');
    await answered();
    expect(entered).toEqual([1, 2, 4]);
  });

  it('refuses a request that has waited too long, and admits the next one in its place', async () => {
    const { admission, entered, refused, come } = admissionOf({ atOnce: 1, waiting: 5, waitMs: 1_000 });
    await come();
    await come();
    await jest.advanceTimersByTimeAsync(600);
    await come();
    await jest.advanceTimersByTimeAsync(399);
    expect(refused).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(refused).toEqual([2]);
    admission.release('a');
    await answered();
    expect(entered).toEqual([1, 3]);
  });

  it('leaves room for others beside a caller who has used its share, and admits them before requests of that caller that wait', async () => {
    const { admission, entered, refused, come } = admissionOf({ atOnce: 3, waiting: 3, waitMs: 1_000, each: 2 });
    for (let request = 0; request < 5; request += 1) await come('a');
    expect([entered, refused]).toEqual([[1, 2], [5]]);
    expect(() => {
      admission.check('a');
    }).toThrow('Too many requests of this caller are under way.');
    for (let request = 0; request < 2; request += 1) await come('b');
    expect([entered, refused]).toEqual([[1, 2, 6], [5]]);
    admission.release('b');
    await answered();
    expect(entered).toEqual([1, 2, 6, 7]);
    admission.release('a');
    await come('c');
    expect(entered).toEqual([1, 2, 6, 7, 8]);
    admission.release('a');
    await answered();
    expect(entered).toEqual([1, 2, 6, 7, 8, 3]);
  });

  it('admits waiting requests by caller, so that many requests of one caller do not delay the next caller', async () => {
    const { admission, entered, come } = admissionOf({ atOnce: 1, waiting: 9, waitMs: 1_000 });
    for (const caller of ['a', 'a', 'a', 'a', 'b', 'b', 'c']) await come(caller);
    for (const caller of ['a', 'b', 'c', 'a', 'b', 'a']) {
      admission.release(caller);
      await answered();
    }
    expect(entered).toEqual([1, 5, 7, 2, 6, 3, 4]);
  });

  it('admits a caller who seldom calls before callers who have a request under way and always wait', async () => {
    const { admission, entered, come } = admissionOf({ atOnce: 3, waiting: 20, waitMs: 1_000 });
    // Each of five callers has one request under way or waits, and has another behind it.
    for (const caller of ['a', 'b', 'c', 'd', 'e', 'a', 'b', 'c', 'd', 'e']) await come(caller);
    await come('now and then');
    expect(entered).toEqual([1, 2, 3]);
    for (const caller of ['a', 'b', 'c']) {
      admission.release(caller);
      await answered();
    }
    expect(entered).toEqual([1, 2, 3, 4, 5, 11]);
  });

  it('admits a caller without a request under way before the second request of another caller', async () => {
    const { admission, entered, come } = admissionOf({ atOnce: 3, waiting: 9, waitMs: 1_000, each: 2 });
    for (const caller of ['a', 'b', 'b', 'a']) await come(caller);
    expect(entered).toEqual([1, 2]);
    admission.release('a');
    await answered();
    expect(entered).toEqual([1, 2, 4]);
    admission.release('a');
    await answered();
    expect(entered).toEqual([1, 2, 4, 3]);
  });

  it('holds one place while work runs, also work that fails, and begins no work where no place is left', async () => {
    const admission = new Admission({ inAll: 1, each: 1 });
    const { promise, resolve } = Promise.withResolvers<string>();
    const running = admission.tryRun('a', () => promise);
    let begun = 0;
    expect(await admission.tryRun('b', () => Promise.resolve((begun += 1)))).toBeUndefined();
    expect(begun).toBe(0);
    resolve('done');
    expect(await running).toBe('done');
    await expect(admission.tryRun('b', () => Promise.reject(new RangeError('failed')))).rejects.toThrow(RangeError);
    expect(await admission.tryRun('b', () => Promise.resolve('again'))).toBe('again');
  });

  it('holds amounts of bytes by the same shares, and lets a request wait only where waiting is allowed', async () => {
    const admission = new Admission({ inAll: 10, each: 6, least: 2 });
    expect([admission.tryAcquire('a', 6), admission.tryAcquire('a', 1), admission.tryAcquire('b', 5)]).toEqual([
      'granted',
      'over-its-share',
      'full',
    ]);
    await expect(admission.acquire('a')).rejects.toThrow('Too many requests of this caller are under way.');
    admission.release('a', 6);
    expect(admission.tryAcquire('b', 5)).toBe('granted');
  });

  it('never admits more than the limit, loses no request and keeps the order of each caller, in every order of events', async () => {
    const caller = fc.constantFrom('a', 'b', 'c');
    const step = fc.oneof(
      fc.record({ comes: caller }),
      fc.record({ leaves: caller }),
      fc.record({ passesMs: fc.integer({ min: 1, max: 400 }) }),
    );
    const bound = fc.integer({ min: 0, max: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(step), bound, bound, bound, async (steps, atOnce, waiting, each) => {
        const { admission, entered, refused, come } = admissionOf({ atOnce, waiting, each, waitMs: 500 });
        const callers: string[] = [];
        const left: number[] = [];
        const of = (who: string) => (request: number) => callers[request - 1] === who;
        for (const one of steps) {
          if ('comes' in one) {
            callers.push(one.comes);
            await come(one.comes);
          } else if ('passesMs' in one) await jest.advanceTimersByTimeAsync(one.passesMs);
          else {
            const leaver = entered.filter(of(one.leaves)).find((request) => !left.includes(request));
            if (leaver === undefined) continue;
            left.push(leaver);
            admission.release(one.leaves);
            await answered();
          }
          const inside = entered.filter((request) => !left.includes(request));
          const waits = callers
            .map((_, index) => index + 1)
            .filter((request) => !entered.includes(request) && !refused.includes(request));
          expect(inside.length).toBeLessThanOrEqual(atOnce);
          expect(waits.length).toBeLessThanOrEqual(waiting);
          for (const who of ['a', 'b', 'c']) {
            expect(inside.filter(of(who)).length).toBeLessThanOrEqual(each);
            expect(waits.filter(of(who)).length).toBeLessThanOrEqual(each);
            // No request waits beside an empty place that its caller may take.
            const mine = inside.filter(of(who)).length;
            const share = Math.min(each, Math.max(1, Math.floor((each * (atOnce - inside.length + mine)) / atOnce)));
            const mayEnter = inside.length < atOnce && mine < share;
            expect(mayEnter && waits.some(of(who))).toBe(false);
            expect(entered.filter(of(who))).toEqual(entered.filter(of(who)).sort((a, b) => a - b));
          }
        }
        await jest.advanceTimersByTimeAsync(500);
        expect(entered.length + refused.length).toBe(callers.length);
      }),
    );
  });
});
