import { describe, expect, it } from '@jest/globals';
import type { DeadLetter } from '@tocsin/events';
import { DeadLetterList } from './dead-letter-list.ts';

const at = (minute: number) => `2026-03-02T00:0${String(minute)}:00.000Z`;

const letter = (own: Partial<DeadLetter> = {}): DeadLetter => ({
  topic: 'pages.v1',
  partition: 2,
  offset: 7,
  groupId: 'notifier',
  reason: 'not JSON',
  key: 'dTE=',
  value: 'ew==',
  failedAt: at(1),
  ...own,
});
const mark = { topic: 'pages.v1', partition: 2, offset: 7, redrivenAt: at(5) };
const place = (offset: number) => ({ partition: 0, offset });

describe('DeadLetterList', () => {
  it('has a letter without its bytes, by the address of its record', () => {
    const file = new DeadLetterList();
    file.add(letter(), place(3));
    expect(file.entries()).toEqual([
      {
        address: 'pages.v1/2/7',
        topic: 'pages.v1',
        partition: 2,
        offset: 7,
        groupId: 'notifier',
        reason: 'not JSON',
        failedAt: at(1),
        whole: true,
        redrivenAt: undefined,
        stored: place(3),
      },
    ]);
  });

  it('knows a letter without the value of its record', () => {
    const file = new DeadLetterList();
    file.add(letter({ value: undefined }), place(0));
    expect(file.entries()).toMatchObject([{ whole: false }]);
  });

  it('lists a letter that was written twice once, in its last form', () => {
    const file = new DeadLetterList();
    file.add(letter(), place(0));
    file.add(letter({ failedAt: at(2) }), place(1));
    expect(file.entries()).toMatchObject([{ failedAt: at(2), stored: place(1) }]);
  });

  it('has one letter for each group that could not process the record, and both are redriven together', () => {
    const file = new DeadLetterList();
    file.add(letter({ groupId: 'scheduling' }), place(0));
    file.add(letter(), place(1));
    file.add(mark, place(2));
    expect(file.entries()).toMatchObject([
      { groupId: 'scheduling', redrivenAt: at(5) },
      { groupId: 'notifier', redrivenAt: at(5) },
    ]);
  });

  it('counts a letter that was written after the redrive of its record as a new one', () => {
    const file = new DeadLetterList();
    file.add(letter(), place(0));
    file.add(mark, place(1));
    file.add(letter({ failedAt: at(6) }), place(2));
    expect(file.entries()).toMatchObject([{ redrivenAt: undefined, stored: place(2) }]);
  });

  it('lists letters of the same instant in a fixed order, in whatever order partitions are read', () => {
    const stored = [
      { partition: 0, offset: 1 },
      { partition: 0, offset: 2 },
      { partition: 1, offset: 0 },
    ];
    for (const read of [
      [0, 1, 2],
      [2, 0, 1],
      [0, 2, 1],
    ]) {
      const file = new DeadLetterList();
      for (const index of read) file.add(letter({ offset: index }), stored[index] ?? place(0));
      expect(file.entries().map(({ offset }) => offset)).toEqual([0, 1, 2]);
    }
  });

  it('lists the newest last, whatever partition they come from', () => {
    const file = new DeadLetterList();
    file.add(letter({ offset: 9, failedAt: at(4) }), place(0));
    file.add(letter({ offset: 8, failedAt: at(3) }), { partition: 1, offset: 0 });
    expect(file.entries().map(({ offset }) => offset)).toEqual([8, 9]);
  });

  it('ignores a mark whose letter is gone', () => {
    const file = new DeadLetterList();
    file.add(mark, place(0));
    expect(file.entries()).toEqual([]);
  });
});
