import { describe, expect, it } from '@jest/globals';
import { arranged, type RotationRequest } from './schedule.ts';

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
  const rotations = arranged(requests, 'UTC');
  return 'kind' in rotations ? rotations : rotations.map(({ name }) => name);
};

describe('arranged', () => {
  it('calls unnamed rotations by the first number that is free', () => {
    expect(names([request(), request({ name: 'Night' }), request()])).toEqual(['Rot1', 'Night', 'Rot2']);
    expect(names([request(), request({ name: 'Rot1' })])).toEqual(['Rot2', 'Rot1']);
  });

  it('puts starts and ends on the half-hour grid', () => {
    const rotations = arranged([request({ endAt: new Date('2026-01-02T08:20:00Z') })], 'UTC');
    expect(rotations).toMatchObject([
      { startAt: new Date('2026-01-01T08:00:00Z'), endAt: new Date('2026-01-02T08:30:00Z') },
    ]);
  });

  it('names the rotation that would end before it starts, also by the grid alone', () => {
    expect(names([request(), request({ endAt: new Date('2026-01-01T08:12:00Z') })])).toEqual({
      kind: 'ends-before-it-starts',
      index: 1,
    });
  });
});
