import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Rotation } from './schedule.ts';
import { neighbour, turnAt } from './turns.ts';
import { snapped, wallClock } from './wall-clock.ts';

const DAY_MS = 86_400_000;
const at = (iso: string) => new Date(iso);

const rotation = (over: Partial<Rotation> = {}): Rotation => ({
  id: 'r',
  name: 'Rot1',
  type: 'daily',
  length: 1,
  startAt: at('2026-03-01T14:00:00Z'),
  endAt: undefined,
  participants: [{ type: 'user', id: 'ada' }],
  ...over,
});

const zones = fc.constantFrom('UTC', 'Europe/Istanbul', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu');
const instants = fc.date({ min: at('2010-01-01T00:00:00Z'), max: at('2035-01-01T00:00:00Z'), noInvalidDate: true });
const cases = fc
  .record({
    zone: zones,
    start: instants,
    later: fc.oneof(fc.integer({ min: 0, max: 3 * DAY_MS }), fc.integer({ min: 0, max: 3_000 * DAY_MS })),
    type: fc.constantFrom('hourly' as const, 'daily' as const, 'weekly' as const),
    length: fc.integer({ min: 1, max: 12 }),
  })
  .map(({ zone, start, later, type, length }) => {
    const startAt = snapped(start, zone);
    return { zone, rotation: rotation({ type, length, startAt }), at: new Date(startAt.getTime() + later) };
  });

describe('turnAt', () => {
  it('covers the instant that it was asked for', () => {
    fc.assert(
      fc.property(cases, ({ rotation, zone, at }) => {
        const turn = turnAt(rotation, zone, at);
        expect(turn?.startsAt.getTime()).toBeLessThanOrEqual(at.getTime());
        expect(turn?.endsAt.getTime()).toBeGreaterThan(at.getTime());
      }),
    );
  });

  it('leaves no gap and no overlap between two turns', () => {
    fc.assert(
      fc.property(cases, ({ rotation, zone, at }) => {
        const turn = turnAt(rotation, zone, at);
        const next = turn && turnAt(rotation, zone, turn.endsAt);
        expect(next?.startsAt).toEqual(turn?.endsAt);
        expect(next?.index).toBeGreaterThan(turn?.index ?? Infinity);
      }),
    );
  });

  it('is the first turn at the start, and none a millisecond before', () => {
    fc.assert(
      fc.property(cases, ({ rotation, zone }) => {
        expect(turnAt(rotation, zone, rotation.startAt)).toMatchObject({ index: 0, startsAt: rotation.startAt });
        expect(turnAt(rotation, zone, new Date(rotation.startAt.getTime() - 1))).toBeUndefined();
      }),
    );
  });

  it('keeps the local time of day of daily and weekly hand-offs wherever that time exists', () => {
    fc.assert(
      fc.property(cases, ({ rotation, zone, at }) => {
        fc.pre(rotation.type !== 'hourly');
        const turn = turnAt(rotation, zone, at);
        const handOff = turn && wallClock(turn.endsAt, zone).toPlainTime();
        const start = wallClock(rotation.startAt, zone).toPlainTime();
        // A skipped time moves on by half an hour or an hour at most in these zones.
        expect(handOff && start.until(handOff).total('minutes')).toBeGreaterThanOrEqual(0);
        expect(handOff && start.until(handOff).total('minutes')).toBeLessThanOrEqual(60);
      }),
    );
  });

  it('hands off daily exactly where an hourly rotation of 24 does, and weekly where a daily one of 7 does', () => {
    fc.assert(
      fc.property(cases, ({ rotation, zone, at }) => {
        const handOff = (type: Rotation['type'], length: number) => turnAt({ ...rotation, type, length }, zone, at);
        expect(handOff('daily', 1)).toEqual(handOff('hourly', 24));
        expect(handOff('weekly', 2)).toEqual(handOff('daily', 14));
      }),
    );
  });

  it('lasts 23 hours across the skipped hour and 25 across the repeated one', () => {
    const newYork = 'America/New_York';
    const hours = (instant: string) => {
      const turn = turnAt(rotation(), newYork, at(instant));
      return turn && (turn.endsAt.getTime() - turn.startsAt.getTime()) / 3_600_000;
    };
    expect(hours('2026-03-08T06:00:00Z')).toBe(23);
    expect(hours('2026-03-09T06:00:00Z')).toBe(24);
    expect(hours('2026-11-01T06:00:00Z')).toBe(25);
  });

  it('keeps the hourly grid of the wall clock: the repeated hour is one long turn', () => {
    const hourly = rotation({ type: 'hourly', startAt: at('2026-11-01T04:00:00Z') });
    expect(turnAt(hourly, 'America/New_York', at('2026-11-01T06:45:00Z'))).toEqual({
      index: 1,
      startsAt: at('2026-11-01T05:00:00Z'),
      endsAt: at('2026-11-01T07:00:00Z'),
    });
  });

  it('ends with the rotation, whose end is exclusive', () => {
    const ending = rotation({ endAt: at('2026-03-03T00:00:00Z') });
    expect(turnAt(ending, 'UTC', at('2026-03-02T23:59:59.999Z'))?.endsAt).toEqual(at('2026-03-03T00:00:00Z'));
    expect(turnAt(ending, 'UTC', at('2026-03-03T00:00:00Z'))).toBeUndefined();
  });

  it('finds the turn of a rotation that began long ago as quickly as any other', () => {
    const old = rotation({ type: 'hourly', startAt: at('1970-01-01T00:00:00Z') });
    expect(turnAt(old, 'UTC', at('2970-01-01T00:30:00Z'))?.startsAt).toEqual(at('2970-01-01T00:00:00Z'));
  });
});

describe('neighbour', () => {
  it('is the turn before or after', () => {
    expect(neighbour(rotation(), 'UTC', 5, 1)).toBe(6);
    expect(neighbour(rotation(), 'UTC', 5, -1)).toBe(4);
    expect(neighbour(rotation(), 'UTC', 0, -1)).toBe(-1);
  });

  it('passes over the turn that a skipped hour leaves without any time', () => {
    const hourly = rotation({ type: 'hourly', startAt: at('2026-03-08T05:00:00Z') });
    expect(turnAt(hourly, 'America/New_York', at('2026-03-08T06:30:00Z'))?.index).toBe(1);
    expect(neighbour(hourly, 'America/New_York', 1, 1)).toBe(3);
    expect(neighbour(hourly, 'America/New_York', 3, -1)).toBe(1);
  });
});
