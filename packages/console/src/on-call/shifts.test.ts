import { describe, expect, test } from '@jest/globals';
import { hashKey } from '@tanstack/react-query';
import { timelineQuery } from './queries.ts';
import { shiftsFrom } from './shifts.ts';

const at = (hour: number) => Date.UTC(2026, 0, 5, hour);
const iso = (hour: number) => new Date(at(hour)).toISOString();

const period = (name: string | undefined, from: number, until: number) => ({
  startDate: iso(from),
  endDate: iso(until),
  type: 'default' as const,
  recipient: name === undefined ? { type: 'none' as const } : { type: 'user' as const, id: name, name },
});

const timeline = (...rotations: readonly ReturnType<typeof period>[][]) => ({
  endDate: iso(24),
  overrideTimeline: undefined,
  finalTimeline: {
    rotations: rotations.map((periods, index) => ({
      id: `rotation-${index}`,
      name: 'Daily',
      order: index + 1,
      periods,
    })),
  },
});

describe('who is on call from now on', () => {
  test('A shift that began before goes from now until another person is on call.', () => {
    expect(shiftsFrom(timeline([period('ada', 0, 12), period('grace', 12, 24)]), at(3))).toEqual([
      { names: ['ada'], from: at(3), until: at(12), isGap: false },
      { names: ['grace'], from: at(12), until: at(24), isGap: false },
    ]);
  });

  test('Periods of the same person in a row are one shift.', () => {
    expect(shiftsFrom(timeline([period('ada', 0, 6), period('ada', 6, 24)]), at(3))).toEqual([
      { names: ['ada'], from: at(3), until: at(24), isGap: false },
    ]);
  });

  test('Time in which no one is on call is a shift without names.', () => {
    expect(shiftsFrom(timeline([period('ada', 0, 6), period(undefined, 6, 8), period('ada', 10, 24)]), at(3))).toEqual([
      { names: ['ada'], from: at(3), until: at(6), isGap: false },
      { names: [], from: at(6), until: at(10), isGap: true },
      { names: ['ada'], from: at(10), until: at(24), isGap: false },
    ]);
  });

  test('Rotations beside each other have all their people, each once.', () => {
    const both = timeline([period('ada', 0, 24)], [period('grace', 0, 12), period('ada', 12, 24)]);

    expect(shiftsFrom(both, at(3)).map(({ names }) => names)).toEqual([['ada', 'grace'], ['ada']]);
  });

  test('A schedule without rotations has no one on call until its end.', () => {
    expect(shiftsFrom(timeline(), at(3))).toEqual([{ names: [], from: at(3), until: at(24), isGap: true }]);
  });

  test('Time in which an override asks for no one is no gap, and the time beside it is.', () => {
    const { endDate, finalTimeline } = timeline([period('ada', 0, 6)]);
    const override = { ...period(undefined, 6, 12), type: 'override' as const };
    const rotation = { id: 'rotation-0', name: 'Daily', order: 1, periods: [override] };
    const overrideTimeline = { rotations: [rotation] };

    expect(shiftsFrom({ endDate, finalTimeline, overrideTimeline }, at(3))).toEqual([
      { names: ['ada'], from: at(3), until: at(6), isGap: false },
      { names: [], from: at(6), until: at(12), isGap: false },
      { names: [], from: at(12), until: at(24), isGap: true },
    ]);
  });

  test('After the end of the timeline nothing is known.', () => {
    expect(shiftsFrom(timeline([period('ada', 0, 24)]), at(25))).toEqual([]);
  });
});

describe('the timeline that a page shows', () => {
  test('It is another one as soon as others are on call.', () => {
    const key = (...names: readonly string[]) => hashKey(timelineQuery('schedule-1', names).queryKey);

    expect(key('ada')).not.toBe(key('grace'));
    expect(key('ada')).not.toBe(key());
    expect(key('ada')).toBe(key('ada'));
  });
});
