import { describe, expect, it } from '@jest/globals';
import { escalationResult, type DueMessages, type EscalationMeasurements } from './escalation-result.ts';

const messages = (...waitsMs: number[]): DueMessages => ({
  due: waitsMs.length,
  waitsMs: Float64Array.from(waitsMs),
  repeated: 0,
});
const kept: EscalationMeasurements = {
  together: messages(9_000, 10_000),
  pending: 100_000,
  single: messages(500, 1_000),
  steady: { ...messages(500, 500, 2_000), rate: 200 },
};
const keptWith = (changes: Partial<EscalationMeasurements>): boolean => escalationResult({ ...kept, ...changes }).kept;

describe('the result of escalations', () => {
  it('is good where every due page is mailed in time, once', () => {
    expect(escalationResult(kept).kept).toBe(true);
    expect(escalationResult(kept).table).toMatch(/due in the same second +2 +0 +0 +9000 ms +10000 ms +10000 ms/);
  });

  it('is bad where any page is late, missing or mailed twice', () => {
    expect(keptWith({ together: messages(10_001) })).toBe(false);
    expect(keptWith({ together: { ...messages(1), due: 2 } })).toBe(false);
    expect(keptWith({ together: { ...messages(1), repeated: 1 } })).toBe(false);
    expect(keptWith({ single: messages(1_001) })).toBe(false);
    expect(keptWith({ steady: { ...messages(501, 501, 501), rate: 200 } })).toBe(false);
    expect(keptWith({ steady: { ...messages(1, 1, 2_001), rate: 200 } })).toBe(false);
  });
});
