import { describe, expect, it } from '@jest/globals';
import { LookStart } from './look-start.ts';

/** A start of looks whose clock the test sets, in seconds. */
function steered(): { start: LookStart<string>; at: (seconds: number) => LookStart<string> } {
  let nowMs = 0;
  const start = new LookStart<string>(() => nowMs);
  return {
    start,
    at: (seconds) => {
      nowMs = seconds * 1_000;
      return start;
    },
  };
}

describe('LookStart', () => {
  it('starts at the first row until a position was seen 120 s ago', () => {
    const { at } = steered();
    expect(at(0).next()).toBeUndefined();
    at(1).seen('a');
    expect(at(100).next()).toBeUndefined();
    expect(at(120).next()).toBeUndefined();
    expect(at(121).next()).toBe('a');
  });

  it('goes on to later positions as they get old enough', () => {
    const { at } = steered();
    at(0).next();
    for (let second = 1; second <= 60; second += 1) at(second).seen(`position ${second}`);
    expect(at(120).next()).toBeUndefined();
    expect(at(130).next()).toBe('position 1');
    expect(at(161).next()).toBe('position 41');
    expect(at(170).next()).toBe('position 41');
    expect(at(172).next()).toBe('position 51');
  });

  it('starts at the first row once a minute', () => {
    const { at } = steered();
    at(0).next();
    at(1).seen('a');
    expect(at(125).next()).toBeUndefined();
    expect(at(130).next()).toBe('a');
    expect(at(184).next()).toBe('a');
    expect(at(185).next()).toBeUndefined();
    expect(at(186).next()).toBe('a');
  });

  it('starts at the first row after a reset, and trusts no position from before it', () => {
    const { at } = steered();
    at(0).seen('a');
    at(130).next();
    expect(at(131).next()).toBe('a');
    at(132).reset();
    expect(at(132).next()).toBeUndefined();
    expect(at(140).next()).toBeUndefined();
  });
});
