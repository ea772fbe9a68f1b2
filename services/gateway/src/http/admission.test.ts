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

/** Callers by number, and what became of them. */
function door(bounds: ConstructorParameters<typeof Admission>[0]) {
  const admission = new Admission(bounds);
  const entered: number[] = [];
  const refused: number[] = [];
  let callers = 0;
  const come = async (): Promise<void> => {
    const caller = (callers += 1);
    void admission.enter().then(
      () => entered.push(caller),
      (error: unknown) => error instanceof UnavailableError && refused.push(caller),
    );
    await told();
  };
  return { admission, entered, refused, come };
}

/** Lets everybody hear what was decided. */
const told = (): Promise<unknown> => jest.advanceTimersByTimeAsync(0);

describe('Admission', () => {
  it('lets so many in at once, and each further one when somebody leaves, in the order in which they came', async () => {
    const { admission, entered, come } = door({ atOnce: 2, waiting: 5, waitMs: 1_000 });
    for (let caller = 0; caller < 4; caller += 1) await come();
    expect(entered).toEqual([1, 2]);
    admission.leave();
    await told();
    expect(entered).toEqual([1, 2, 3]);
    admission.leave();
    await told();
    expect(entered).toEqual([1, 2, 3, 4]);
  });

  it('refuses at once whoever finds as many waiting as may wait, and takes the next when one has left', async () => {
    const { admission, refused, entered, come } = door({ atOnce: 1, waiting: 1, waitMs: 1_000 });
    await come();
    expect(admission.isFull).toBe(false);
    await come();
    expect(admission.isFull).toBe(true);
    await come();
    expect(refused).toEqual([3]);
    admission.leave();
    await come();
    expect([entered, refused]).toEqual([[1, 2], [3]]);
    admission.leave();
    await told();
    expect(entered).toEqual([1, 2, 4]);
  });

  it('refuses whoever has waited too long, and gives the turn to the next in line', async () => {
    const { admission, entered, refused, come } = door({ atOnce: 1, waiting: 5, waitMs: 1_000 });
    await come();
    await come();
    await jest.advanceTimersByTimeAsync(600);
    await come();
    await jest.advanceTimersByTimeAsync(399);
    expect(refused).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(refused).toEqual([2]);
    admission.leave();
    await told();
    expect(entered).toEqual([1, 3]);
  });

  it('whatever happens in whatever order, lets no more in than may be, forgets nobody and keeps the order', async () => {
    const steps = fc.array(fc.oneof(fc.constant('come'), fc.constant('leave'), fc.integer({ min: 1, max: 400 })));
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 0, max: 3 }),
        async (all, atOnce, waiting) => {
          const { admission, entered, refused, come } = door({ atOnce, waiting, waitMs: 500 });
          let [came, left] = [0, 0];
          for (const step of all) {
            if (step === 'come') await come().then(() => (came += 1));
            else if (typeof step === 'number') await jest.advanceTimersByTimeAsync(step);
            else if (entered.length > left) {
              admission.leave();
              left += 1;
              await told();
            }
            const inside = entered.length - left;
            const waits = came - entered.length - refused.length;
            expect(inside).toBeLessThanOrEqual(atOnce);
            expect(waits).toBeLessThanOrEqual(waiting);
            // Nobody waits beside an empty place.
            expect(waits === 0 || inside === atOnce).toBe(true);
          }
          expect(entered).toEqual([...entered].sort((a, b) => a - b));
          await jest.advanceTimersByTimeAsync(500);
          expect(entered.length + refused.length).toBe(came);
        },
      ),
    );
  });
});
