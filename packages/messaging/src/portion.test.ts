import { describe, expect, it } from '@jest/globals';
import { Portion } from './portion.ts';

describe('Portion', () => {
  it('is halved by each trouble, and is one record at least', () => {
    const portion = new Portion(300);
    const sizes = Array.from({ length: 10 }, () => {
      portion.failed(300);
      return portion.size;
    });
    expect(sizes).toEqual([150, 75, 37, 18, 9, 4, 2, 1, 1, 1]);
  });

  it('is half of what was tried where that was less', () => {
    const portion = new Portion(300);
    portion.failed(41);
    expect(portion.size).toBe(20);
  });

  it('grows back with every success, to the most and no further', () => {
    const portion = new Portion(10);
    expect(portion.size).toBe(10);
    for (let troubles = 0; troubles < 4; troubles += 1) portion.failed(10);
    const sizes = Array.from({ length: 5 }, () => {
      portion.settled();
      return portion.size;
    });
    expect(sizes).toEqual([2, 4, 8, 10, 10]);
  });
});
