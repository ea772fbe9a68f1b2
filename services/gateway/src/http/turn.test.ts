import { describe, expect, it } from '@jest/globals';
import { Turn } from './turn.ts';

describe('Turn', () => {
  it('tells how long the present turn has gone on since it was first asked, and begins anew with the next', () => {
    let [now, over]: [number, () => void] = [1_000, () => undefined];
    const turn = new Turn(
      () => now,
      (end) => (over = end),
    );
    expect(turn.lastedMs()).toBe(0);
    now += 150;
    expect(turn.lastedMs()).toBe(150);
    over();
    expect(turn.lastedMs()).toBe(0);
  });
});
