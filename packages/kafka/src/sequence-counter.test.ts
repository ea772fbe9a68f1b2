import { describe, expect, it } from '@jest/globals';
import { SequenceCounter } from './sequence-counter.ts';

const all = () => true;
const numbersOf = (counter: SequenceCounter, partition = 0) =>
  counter.report().partitions.find((each) => each.partition === partition);

describe('SequenceCounter', () => {
  it('numbers each partition by itself, with the sequence on the last message of an attempt', () => {
    const counter = new SequenceCounter();
    counter.begin([0, 1, 0]).written(all);
    const { sequences } = counter.begin([1, 0, 1]);
    const { instance } = counter;
    expect([...sequences]).toEqual([
      [2, { instance, numbers: [2, 3] }],
      [1, { instance, numbers: [3, 3] }],
    ]);
  });

  it('owes no number of an attempt that has not ended', () => {
    const counter = new SequenceCounter();
    const attempt = counter.begin([0, 0]);
    expect(numbersOf(counter)).toEqual({ partition: 0, through: 0, unacknowledged: [] });
    attempt.written(all);
    expect(numbersOf(counter)).toEqual({ partition: 0, through: 2, unacknowledged: [] });
  });

  it('does not owe the numbers of a rejected attempt, or of single messages whose callers no longer wait', () => {
    const counter = new SequenceCounter();
    counter.begin([0, 0]).failed();
    counter.begin([0, 0, 0]).written((index) => index !== 1);
    expect(numbersOf(counter)).toEqual({
      partition: 0,
      through: 5,
      unacknowledged: [
        [1, 2],
        [4, 4],
      ],
    });
  });

  it('leaves numbers out of later reports that a stored report has', () => {
    const counter = new SequenceCounter();
    counter.begin([0]).failed();
    const report = counter.report();
    counter.begin([0]).failed();
    counter.stored(report);
    expect(numbersOf(counter)?.unacknowledged).toEqual([[2, 2]]);
  });

  it('joins its oldest ranges beyond a thousand: it proves fewer losses then, and no wrong ones', () => {
    const counter = new SequenceCounter();
    for (let count = 0; count < 1_200; count += 1) {
      counter.begin([0]).failed();
      counter.begin([0]).written(all);
    }
    const { unacknowledged = [] } = numbersOf(counter) ?? {};
    expect(unacknowledged).toHaveLength(1_000);
    expect(unacknowledged[0]).toEqual([1, 401]);
    expect(unacknowledged.at(-1)).toEqual([2_399, 2_399]);
  });
});
