import { describe, expect, it } from '@jest/globals';
import { LookStart } from './look-start.ts';

/** A start of looks whose clock the test sets, in seconds. `at` looks each second until then, `after` does not. */
function steered() {
  let second = 0;
  const start = new LookStart<string>({ now: () => second * 1_000 });
  const after = (seconds: number): LookStart<string> => {
    second = seconds;
    return start;
  };
  const at = (seconds: number): LookStart<string> => {
    while (second < seconds - 1) {
      second += 1;
      start.next();
    }
    return after(seconds);
  };
  return { at, after };
}

describe('LookStart', () => {
  it('starts at the first row until a position was seen 120 s ago', () => {
    const { at } = steered();
    expect(at(0).next()).toBeUndefined();
    at(1).record('a');
    expect(at(100).next()).toBeUndefined();
    expect(at(120).next()).toBeUndefined();
    expect(at(121).next()).toBe('a');
  });

  it('goes on to later positions as they get old enough', () => {
    const { at } = steered();
    at(0).next();
    for (let second = 1; second <= 60; second += 1) {
      at(second).next();
      at(second).record(`position ${second}`);
    }
    expect(at(120).next()).toBeUndefined();
    expect(at(130).next()).toBe('position 1');
    expect(at(161).next()).toBe('position 41');
    expect(at(170).next()).toBe('position 41');
    expect(at(172).next()).toBe('position 51');
  });

  it('starts at the first row once a minute', () => {
    const { at } = steered();
    at(0).next();
    at(1).record('a');
    expect(at(179).next()).toBe('a');
    expect(at(180).next()).toBeUndefined();
    expect(at(181).next()).toBe('a');
  });

  it('starts at the first row after a pause of over 10 s, and trusts no position from before it', () => {
    const { after, at } = steered();
    at(0).next();
    at(0).record('a');
    expect(at(130).next()).toBe('a');
    expect(after(140).next()).toBe('a');
    expect(after(151).next()).toBeUndefined();
    expect(after(152).next()).toBeUndefined();
    at(160).record('b');
    expect(at(275).next()).toBeUndefined();
    expect(at(281).next()).toBe('b');
  });

  it('starts at the first row after a reset, and trusts no position from before it', () => {
    const { at } = steered();
    at(0).next();
    at(0).record('a');
    expect(at(131).next()).toBe('a');
    at(132).reset();
    expect(at(132).next()).toBeUndefined();
    expect(at(140).next()).toBeUndefined();
  });
});
