import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { UnavailableError } from '@tocsin/errors';
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
  const bounds = { atOnce: { inAll: atOnce, each }, waiting: { inAll: waiting, each }, waitMs };
  const admission = new Admission(bounds);
  const entered: number[] = [];
  const refused: number[] = [];
  let requests = 0;
  const come = async (caller = 'a'): Promise<void> => {
    const request = (requests += 1);
    void admission.enter(caller).then(
      () => entered.push(request),
      (error: unknown) => error instanceof UnavailableError && refused.push(request),
    );
    await told();
  };
  return { admission, entered, refused, come };
}

/** Lets everybody hear what was decided. */
const told = (): Promise<unknown> => jest.advanceTimersByTimeAsync(0);

describe('Admission', () => {
  it('lets so many in at once, and each further one when somebody leaves, in the order in which they came', async () => {
    const { admission, entered, come } = admissionOf({ atOnce: 2, waiting: 5, waitMs: 1_000 });
    for (let caller = 0; caller < 4; caller += 1) await come();
    expect(entered).toEqual([1, 2]);
    admission.leave('a');
    await told();
    expect(entered).toEqual([1, 2, 3]);
    admission.leave('a');
    await told();
    expect(entered).toEqual([1, 2, 3, 4]);
  });

  it('refuses at once whoever finds as many waiting as may wait, and takes the next when one has left', async () => {
    const { admission, refused, entered, come } = admissionOf({ atOnce: 1, waiting: 1, waitMs: 1_000 });
    await come();
    expect(admission.isFull).toBe(false);
    await come();
    expect(admission.isFull).toBe(true);
    await come();
    expect(refused).toEqual([3]);
    admission.leave('a');
    await come();
    expect([entered, refused]).toEqual([[1, 2], [3]]);
    admission.leave('a');
    await told();
    expect(entered).toEqual([1, 2, 4]);
  });

  it('refuses whoever has waited too long, and gives the turn to the next in line', async () => {
    const { admission, entered, refused, come } = admissionOf({ atOnce: 1, waiting: 5, waitMs: 1_000 });
    await come();
    await come();
    await jest.advanceTimersByTimeAsync(600);
    await come();
    await jest.advanceTimersByTimeAsync(399);
    expect(refused).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(refused).toEqual([2]);
    admission.leave('a');
    await told();
    expect(entered).toEqual([1, 3]);
  });

  it('leaves room for others beside one who has their share, and lets those in past who waits for their own', async () => {
    const { admission, entered, refused, come } = admissionOf({ atOnce: 3, waiting: 3, waitMs: 1_000, each: 2 });
    for (let request = 0; request < 5; request += 1) await come('a');
    expect([entered, refused]).toEqual([[1, 2], [5]]);
    expect(() => {
      admission.check('a');
    }).toThrow('Too many requests of this caller are under way.');
    for (let request = 0; request < 2; request += 1) await come('b');
    expect([entered, refused]).toEqual([[1, 2, 6], [5]]);
    admission.leave('b');
    await told();
    expect(entered).toEqual([1, 2, 6, 7]);
    admission.leave('a');
    await come('c');
    expect(entered).toEqual([1, 2, 6, 7, 8]);
    admission.leave('a');
    await told();
    expect(entered).toEqual([1, 2, 6, 7, 8, 3]);
  });

  it('lets those that wait in by caller, so that many of one caller do not hold up the next', async () => {
    const { admission, entered, come } = admissionOf({ atOnce: 1, waiting: 9, waitMs: 1_000 });
    for (const caller of ['a', 'a', 'a', 'a', 'b', 'b', 'c']) await come(caller);
    for (const caller of ['a', 'b', 'c', 'a', 'b', 'a']) {
      admission.leave(caller);
      await told();
    }
    expect(entered).toEqual([1, 5, 7, 2, 6, 3, 4]);
  });

  it('lets a caller who comes now and then in before those who have one under way and always wait', async () => {
    const { admission, entered, come } = admissionOf({ atOnce: 3, waiting: 20, waitMs: 1_000 });
    // Each of five callers has one request under way or waits, and has another behind it.
    for (const caller of ['a', 'b', 'c', 'd', 'e', 'a', 'b', 'c', 'd', 'e']) await come(caller);
    await come('now and then');
    expect(entered).toEqual([1, 2, 3]);
    for (const caller of ['a', 'b', 'c']) {
      admission.leave(caller);
      await told();
    }
    expect(entered).toEqual([1, 2, 3, 4, 5, 11]);
  });

  it('lets a caller in again that has none under way any more, before the second request of another', async () => {
    const { admission, entered, come } = admissionOf({ atOnce: 3, waiting: 9, waitMs: 1_000, each: 2 });
    for (const caller of ['a', 'b', 'b', 'a']) await come(caller);
    expect(entered).toEqual([1, 2]);
    admission.leave('a');
    await told();
    expect(entered).toEqual([1, 2, 4]);
    admission.leave('a');
    await told();
    expect(entered).toEqual([1, 2, 4, 3]);
  });

  it('whatever happens in whatever order, lets no more in than may be, forgets nobody and keeps the order of each caller', async () => {
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
            admission.leave(one.leaves);
            await told();
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
