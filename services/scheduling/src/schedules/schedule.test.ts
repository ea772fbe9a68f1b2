import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aZone, NORMAL, runs } from '../testing/random-schedules.ts';
import { rotationOf, scheduleOf } from '../testing/on-call-samples.ts';
import type { Override } from './override.ts';
import { normalizeRotations, withoutRotation, withRotations, type RotationRequest } from './schedule.ts';

const request = (over: Partial<RotationRequest> = {}): RotationRequest => ({
  id: 'r',
  name: undefined,
  type: 'daily',
  length: 1,
  startAt: new Date('2026-01-01T08:10:00Z'),
  endAt: undefined,
  participants: [{ type: 'none' }],
  timeRestriction: undefined,
  ...over,
});

const names = (requests: readonly RotationRequest[]) => {
  const rotations = normalizeRotations(requests, 'UTC');
  return 'kind' in rotations ? rotations : rotations.map(({ name }) => name);
};

describe('normalizeRotations', () => {
  it('calls unnamed rotations by the first number that is free', () => {
    expect(names([request(), request({ name: 'Night' }), request()])).toEqual(['Rot1', 'Night', 'Rot2']);
    expect(names([request(), request({ name: 'Rot1' })])).toEqual(['Rot2', 'Rot1']);
  });

  it('puts starts and ends on the half-hour grid', () => {
    const rotations = normalizeRotations([request({ endAt: new Date('2026-01-02T08:20:00Z') })], 'UTC');
    expect(rotations).toMatchObject([
      { startAt: new Date('2026-01-01T08:00:00Z'), endAt: new Date('2026-01-02T08:30:00Z') },
    ]);
  });

  it('names the rotation that would end before it starts, also where snapping alone makes it so', () => {
    expect(names([request(), request({ endAt: new Date('2026-01-01T08:12:00Z') })])).toEqual({
      kind: 'ends-before-it-starts',
      index: 1,
    });
  });
});

describe('rotations that are written again', () => {
  it('keeps a start and an end that are as they were, also off the grid of another zone', () => {
    const kept = rotationOf([{ type: 'none' }], { endAt: new Date('2027-01-01T00:00:00Z') });
    expect(normalizeRotations([kept], 'Asia/Kathmandu', [kept])).toEqual([kept]);
    const later = new Date('2026-01-02T00:00:00Z');
    expect(normalizeRotations([{ ...kept, startAt: later }], 'Asia/Kathmandu', [kept])).toMatchObject([
      // 05:45 in Kathmandu.
      { startAt: new Date('2026-01-02T00:15:00Z'), endAt: kept.endAt },
    ]);
  });
});

describe('rotations that are normalized twice', () => {
  const anInstant = fc.integer({ min: Date.parse('2011-12-01T00:00:00Z'), max: Date.parse('2038-01-01T00:00:00Z') });

  it('are as after the first time, and their instants stay whatever the new zone of the schedule', () => {
    fc.assert(
      fc.property(anInstant, fc.nat(10_000), aZone, aZone, (start, hours, zone, other) => {
        const [startAt, endAt] = [new Date(start), new Date(start + (hours + 1) * 3_600_000)];
        const kept = normalizeRotations([request({ startAt, endAt })], zone);
        if ('kind' in kept) return;
        expect(normalizeRotations(kept, zone)).toEqual(kept);
        expect(normalizeRotations(kept, other, kept)).toEqual(kept);
      }),
      runs(NORMAL),
    );
  });
});

describe('a schedule that loses rotations', () => {
  const override = (alias: string, rotationIds: readonly string[] | undefined): Override => ({
    alias,
    user: { type: 'none' },
    startAt: new Date('2026-01-01T00:00:00Z'),
    endAt: new Date('2026-01-02T00:00:00Z'),
    rotationIds,
  });
  const [a, b] = [rotationOf([{ type: 'none' }], { id: 'a' }), rotationOf([{ type: 'none' }], { id: 'b' })];
  const overrides = [override('of a', ['a']), override('of both', ['a', 'b']), override('of all', undefined)];
  const schedule = scheduleOf('s', [a, b], { overrides });

  it('loses the overrides that named no other, and the others forget it (S14)', () => {
    expect(withoutRotation(schedule, 'a')).toEqual({
      ...schedule,
      rotations: [b],
      overrides: [override('of both', ['b']), override('of all', undefined)],
    });
    expect(withRotations(schedule, []).overrides).toEqual([override('of all', undefined)]);
  });

  it('is not changed where nothing is deleted', () => {
    expect(withRotations(schedule, [a, b])).toEqual(schedule);
    expect(withoutRotation(schedule, 'c')).toEqual(schedule);
  });
});
