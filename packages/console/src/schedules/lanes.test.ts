import { describe, expect, test } from '@jest/globals';
import {
  barsOf,
  changedDays,
  huesOf,
  instantAt,
  labelOf,
  lanesOf,
  type Piece,
  type Scale,
  ticksOf,
  xOf,
} from './lanes.ts';
import type { Timeline } from './queries.ts';
import { firstInstantOf, HOUR_MS } from './zone.ts';

const BERLIN = 'Europe/Berlin';
const LORD_HOWE = 'Australia/Lord_Howe';

/** Dates of `zone`, the second exclusive, so many pixels wide for each hour. */
function scaleOf(zone: string, from: string, until: string, hourWidth: number): Scale {
  const span = {
    from: firstInstantOf(Date.parse(`${from}T00:00:00Z`), zone),
    until: firstInstantOf(Date.parse(`${until}T00:00:00Z`), zone),
  };
  return { ...span, width: ((span.until - span.from) / HOUR_MS) * hourWidth };
}

const midnights = (scale: Scale, zone: string) =>
  ticksOf(scale, zone)
    .filter(({ isMidnight }) => isMidnight)
    .map(({ x }) => x);

describe('the picture of days whose clocks change', () => {
  test('A day of 23 hours is 23 hours wide, and one of 25 is 25.', () => {
    expect(midnights(scaleOf(BERLIN, '2026-03-28', '2026-03-31', 10), BERLIN)).toEqual([0, 240, 470]);
    expect(midnights(scaleOf(BERLIN, '2026-10-24', '2026-10-27', 10), BERLIN)).toEqual([0, 240, 490]);
  });

  test('A change of half an hour makes it 23.5 and 24.5 hours wide.', () => {
    expect(midnights(scaleOf(LORD_HOWE, '2026-10-03', '2026-10-06', 10), LORD_HOWE)).toEqual([0, 240, 475]);
    expect(midnights(scaleOf(LORD_HOWE, '2026-04-04', '2026-04-07', 10), LORD_HOWE)).toEqual([0, 240, 485]);
  });

  test('The hour that the clocks skip has no mark, and the one that they show twice has two.', () => {
    const hours = (from: string, until: string) =>
      ticksOf(scaleOf(BERLIN, from, until, 50), BERLIN).map(({ x }) => x / 50);
    expect(hours('2026-03-29', '2026-03-30')).toHaveLength(23);
    expect(hours('2026-10-25', '2026-10-26')).toEqual(Array.from({ length: 25 }, (_, hour) => hour));
  });

  test('They are listed with their length.', () => {
    const changed = (from: string, until: string) =>
      changedDays(scaleOf(BERLIN, from, until, 1), BERLIN).map((day) => [day.date, (day.until - day.from) / HOUR_MS]);
    expect(changed('2026-03-01', '2026-04-01')).toEqual([['2026-03-29', 23]]);
    expect(changed('2026-10-01', '2026-11-01')).toEqual([['2026-10-25', 25]]);
    expect(changed('2026-06-01', '2026-07-01')).toEqual([]);
  });
});

describe('places and instants', () => {
  const scale: Scale = { from: 1_000, until: 2_000, width: 500 };

  test('One leads back to the other.', () => {
    for (const at of [1_000, 1_250, 1_999]) expect(instantAt(xOf(at, scale), scale)).toBe(at);
  });

  test('A place outside of the picture is its nearest end.', () => {
    expect([instantAt(-5, scale), instantAt(900, scale)]).toEqual([1_000, 2_000]);
  });
});

describe('the marks of an axis', () => {
  test('With little space each Monday alone is named.', () => {
    const ticks = ticksOf(scaleOf(BERLIN, '2026-03-01', '2026-04-01', 1), BERLIN);
    expect(ticks.map(({ label }) => label).join(' ')).toMatch(/^none date (none ){6}date/);
    expect(ticks).toHaveLength(31);
  });

  test.each([
    [3, 'day day'],
    [4, 'date date'],
    [10, 'date none hour hour date none hour hour'],
  ])('With %p pixels for an hour they are: %s.', (hourWidth, labels) => {
    const ticks = ticksOf(scaleOf(BERLIN, '2026-06-03', '2026-06-05', hourWidth), BERLIN);
    expect(ticks.map(({ label }) => label).join(' ')).toBe(labels);
  });
});

describe('bars', () => {
  const scale: Scale = { from: 0, until: 1_000, width: 1_000 };
  const piece = (from: number, until: number, kind: Piece['kind'] = 'default'): Piece => ({
    from,
    until,
    kind,
    text: 'ada@example.com',
  });

  test('Each piece is one that is as wide as it is long.', () => {
    expect(barsOf([piece(0, 100), piece(100, 400)], scale).map(({ label, width, x }) => [x, width, label])).toEqual([
      [0, 100, 'ada'],
      [100, 300, 'ada'],
    ]);
  });

  test('Pieces too narrow to be seen are drawn together, so a lane has no more bars than can be seen.', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => piece(index, index + 1));
    const bars = barsOf(many, scale);
    expect(bars.length).toBeLessThanOrEqual(250);
    expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(1_000);
    expect([bars[0]?.x, bars.at(-1)?.until]).toEqual([0, 1_000]);
    expect(bars[0]?.text).toBe('4 shifts');
  });

  test('A gap stays a bar of its own, however short it is.', () => {
    const bars = barsOf([piece(0, 1), piece(1, 2, 'gap'), piece(2, 3)], scale);
    expect(bars.map(({ kind }) => kind)).toEqual(['default', 'gap', 'default']);
  });

  test('A text is cut where it is too long, and left out where nothing could be read.', () => {
    expect([labelOf('ada, grace', 100), labelOf('ada, grace', 60), labelOf('ada', 20)]).toEqual([
      'ada, grace',
      'ada, …',
      '',
    ]);
  });
});

describe('the lanes of a timeline', () => {
  const period = (name: string, type: 'default' | 'override' | 'forwarding') => ({
    startDate: '2026-01-05T00:00:00Z',
    endDate: '2026-01-06T00:00:00Z',
    type,
    recipient: { type: 'user' as const, id: name, name },
  });
  const layer = (name: string, type: 'default' | 'override' | 'forwarding') => ({
    rotations: [{ id: 'r1', name: 'Daily', order: 1, periods: [period(name, type)] }],
  });
  const timeline: Timeline = {
    _parent: { id: '1', name: 'Payments', enabled: true },
    startDate: '2026-01-05T00:00:00Z',
    endDate: '2026-01-07T00:00:00Z',
    finalTimeline: layer('eve', 'forwarding'),
    overrideTimeline: layer('kim', 'override'),
    forwardingTimeline: layer('eve', 'forwarding'),
    baseTimeline: layer('ada', 'default'),
  };
  const shown = (of: Timeline) =>
    lanesOf(of).map(({ name, pieces }) => [name, ...pieces.map(({ kind, text }) => `${text} ${kind}`)]);

  test('They are who is on call with its gaps, overrides, forwarding and each rotation.', () => {
    expect(shown(timeline)).toEqual([
      ['On call', 'eve forwarding', 'No one gap'],
      ['Overrides', 'kim override'],
      ['Forwarding', 'eve forwarding'],
      ['Daily', 'ada default'],
    ]);
  });

  test('People have a colour in all lanes, and each of a few people another one.', () => {
    const hues = huesOf(lanesOf(timeline));
    expect([...hues]).toEqual([
      ['No one', 0],
      ['ada', 1],
      ['eve', 2],
      ['kim', 3],
    ]);
  });

  test('A disabled schedule has no gaps: no one is to be on call.', () => {
    const disabled = {
      ...timeline,
      _parent: { ...timeline._parent, enabled: false },
      finalTimeline: { rotations: [] },
    };
    expect(shown(disabled)[0]).toEqual(['On call']);
  });
});
