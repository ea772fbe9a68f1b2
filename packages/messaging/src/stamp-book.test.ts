import { describe, expect, it } from '@jest/globals';
import { StampBook } from './stamp-book.ts';

const all = () => true;
const laneOf = (book: StampBook, partition = 0) =>
  book.report().partitions.find((each) => each.partition === partition);

describe('StampBook', () => {
  it('numbers each partition by itself, with the stamp on the last message of an attempt', () => {
    const book = new StampBook();
    book.begin([0, 1, 0]).written(all);
    const { stamps } = book.begin([1, 0, 1]);
    const { instance } = book;
    expect([...stamps]).toEqual([
      [2, { instance, numbers: [2, 3] }],
      [1, { instance, numbers: [3, 3] }],
    ]);
  });

  it('owes nothing of an attempt that has not ended', () => {
    const book = new StampBook();
    const attempt = book.begin([0, 0]);
    expect(laneOf(book)).toEqual({ partition: 0, through: 0, givenUp: [] });
    attempt.written(all);
    expect(laneOf(book)).toEqual({ partition: 0, through: 2, givenUp: [] });
  });

  it('gives a rejected attempt up, and single messages whose callers went away', () => {
    const book = new StampBook();
    book.begin([0, 0]).failed();
    book.begin([0, 0, 0]).written((index) => index !== 1);
    expect(laneOf(book)).toEqual({
      partition: 0,
      through: 5,
      givenUp: [
        [1, 2],
        [4, 4],
      ],
    });
  });

  it('leaves out of later reports what a kept report has', () => {
    const book = new StampBook();
    book.begin([0]).failed();
    const report = book.report();
    book.begin([0]).failed();
    book.kept(report);
    expect(laneOf(book)?.givenUp).toEqual([[2, 2]]);
  });

  it('joins its oldest ranges beyond a thousand: it proves fewer losses then, and no wrong ones', () => {
    const book = new StampBook();
    for (let count = 0; count < 1_200; count += 1) {
      book.begin([0]).failed();
      book.begin([0]).written(all);
    }
    const { givenUp = [] } = laneOf(book) ?? {};
    expect(givenUp).toHaveLength(1_000);
    expect(givenUp[0]).toEqual([1, 401]);
    expect(givenUp.at(-1)).toEqual([2_399, 2_399]);
  });
});
