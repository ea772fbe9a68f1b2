import { describe, expect, it } from '@jest/globals';
import { SequenceCounter } from '@tocsin/kafka';
import { addNumbers } from '@tocsin/mongo';
import fc from 'fast-check';
import {
  sizeOf,
  type NumberRange,
  type ProducerSequence,
  type ReceivedNumbers,
  type SequenceReport,
} from '@tocsin/events';
import {
  acceptedOf,
  joined,
  SLACK_MS,
  applyReport,
  unsettledOf,
  type PartitionSequence,
} from './partition-sequence.ts';

const START = new Date('2026-01-05T08:00:00Z');
const after = (ms: number): Date => new Date(START.getTime() + ms);
const NONE: ReceivedNumbers = { through: 0, gaps: [] };

/** One attempt to publish. `gone` has the indexes of messages whose callers had left. */
const attempt = fc.record({
  messages: fc.integer({ min: 1, max: 4 }),
  /** `lied`: acknowledged and not written. `unknown`: written and not acknowledged. */
  broker: fc.constantFrom('wrote', 'lied', 'unknown', 'refused'),
  repeats: fc.integer({ min: 1, max: 2 }),
  gone: fc.array(fc.nat({ max: 3 }), { maxLength: 2 }),
  reports: fc.boolean(),
});

type Attempt = typeof attempt extends fc.Arbitrary<infer A> ? A : never;

/** Sends attempts one after the other. Returns the log, the numbers that were answered 202 (`yes`), and the sequence. */
function played(attempts: readonly Attempt[]) {
  const counter = new SequenceCounter();
  const log: ProducerSequence[] = [];
  const yes = new Set<number>();
  let sequence: PartitionSequence | undefined;
  const send = (now: Date): void => {
    const report: SequenceReport = counter.report();
    for (const each of report.partitions) sequence = applyReport(sequence, each, now);
    counter.stored(report);
  };
  for (const each of attempts) {
    play(each, { counter, log, yes });
    if (each.reports) send(START);
  }
  send(START);
  return { log, yes, sequence };
}

function play(
  { messages, broker, repeats, gone }: Attempt,
  to: { counter: SequenceCounter; log: ProducerSequence[]; yes: Set<number> },
) {
  const sent = to.counter.begin(Array.from({ length: messages }, () => 0));
  const sequence = sent.sequences.get(messages - 1);
  if (sequence === undefined) throw new Error('an attempt without a sequence');
  if (broker === 'wrote' || broker === 'unknown') for (let time = 0; time < repeats; time += 1) to.log.push(sequence);
  if (broker === 'unknown' || broker === 'refused') {
    sent.failed();
    return;
  }
  sent.written((index) => !gone.includes(index));
  const [first] = sequence.numbers;
  for (let index = 0; index < messages; index += 1) if (!gone.includes(index)) to.yes.add(first + index);
}

const numbersOf = (ranges: readonly NumberRange[]): readonly number[] =>
  ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index));

describe('the owed numbers', () => {
  it('is missing if and only if a number was answered 202 and is not on the log', () => {
    fc.assert(
      fc.property(fc.array(attempt, { minLength: 1, maxLength: 12 }), (attempts) => {
        const { log, yes, sequence } = played(attempts);
        if (sequence === undefined) throw new Error('nothing was reported');
        const seen = log.reduce((account, { numbers }) => addNumbers(account, numbers), NONE);
        const { lost, waiting } = unsettledOf(sequence, seen, after(SLACK_MS));
        const onLog = new Set(numbersOf(log.map(({ numbers }) => numbers)));
        const expected = [...yes].filter((number) => !onLog.has(number)).toSorted((a, b) => a - b);
        expect(numbersOf([...lost, ...waiting]).toSorted((a, b) => a - b)).toEqual(expected);
        expect(acceptedOf(sequence)).toBe(yes.size);
      }),
    );
  });

  it('is never lost before a later number was read: until then it is waiting', () => {
    fc.assert(
      fc.property(fc.array(attempt, { minLength: 1, maxLength: 12 }), fc.nat({ max: 20 }), (attempts, read) => {
        const { log, yes, sequence } = played(attempts.filter(({ broker }) => broker !== 'lied'));
        if (sequence === undefined) return;
        const seen = log.slice(0, read).reduce((account, { numbers }) => addNumbers(account, numbers), NONE);
        expect(unsettledOf(sequence, seen, after(SLACK_MS)).lost).toEqual([]);
        const { waiting } = unsettledOf(sequence, seen, after(SLACK_MS));
        expect(numbersOf(waiting).every((number) => yes.has(number))).toBe(true);
      }),
    );
  });

  it('counts only after 30 s, however often its process reports', () => {
    let sequence = applyReport(undefined, { partition: 0, through: 5, unacknowledged: [] }, START);
    for (let ms = 5_000; ms < SLACK_MS; ms += 5_000)
      sequence = applyReport(sequence, { partition: 0, through: 5 + ms, unacknowledged: [] }, after(ms));
    expect(unsettledOf(sequence, NONE, after(SLACK_MS - 1)).waiting).toEqual([]);
    expect(unsettledOf(sequence, NONE, after(SLACK_MS)).waiting).toEqual([[1, 5]]);
    sequence = applyReport(sequence, { partition: 0, through: 90_000, unacknowledged: [] }, after(SLACK_MS));
    expect(unsettledOf(sequence, NONE, after(SLACK_MS)).waiting).toEqual([[1, 5]]);
    expect(unsettledOf(sequence, { through: 5, gaps: [] }, after(SLACK_MS)).waiting).toEqual([]);
  });

  it('is the last report of a process that died: numbers that it did not report are not owed', () => {
    const sequence = applyReport(undefined, { partition: 0, through: 5, unacknowledged: [] }, START);
    const seen: ReceivedNumbers = {
      through: 9,
      gaps: [
        [3, 3],
        [7, 8],
      ],
    };
    expect(unsettledOf(sequence, seen, after(SLACK_MS)).lost).toEqual([[3, 3]]);
  });

  it('does not change if a report comes late or twice', () => {
    const first = applyReport(undefined, { partition: 0, through: 5, unacknowledged: [[2, 2]] }, START);
    const second = applyReport(first, { partition: 0, through: 9, unacknowledged: [[7, 8]] }, START);
    const again = applyReport(second, { partition: 0, through: 5, unacknowledged: [[2, 2]] }, START);
    expect(again).toEqual(second);
  });
});

describe('two accounts of one partition', () => {
  it('merge to the numbers that either has met, such as before and after a topic was recreated', () => {
    fc.assert(
      fc.property(fc.array(attempt, { minLength: 1, maxLength: 12 }), fc.nat({ max: 12 }), (attempts, cut) => {
        const { log } = played(attempts);
        const read = (some: readonly ProducerSequence[]) =>
          some.reduce((account, { numbers }) => addNumbers(account, numbers), NONE);
        expect(joined(read(log.slice(0, cut)), read(log.slice(cut)))).toEqual(read(log));
      }),
    );
  });

  it('keep a gap that neither has met', () => {
    const both = joined({ through: 9, gaps: [[2, 4]] }, { through: 3, gaps: [[1, 2]] });
    expect(both).toEqual({
      through: 9,
      gaps: [
        [2, 2],
        [4, 4],
      ],
    });
    expect(sizeOf(both.gaps)).toBe(2);
  });
});
