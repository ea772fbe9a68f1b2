import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TransferTimeout } from './transfer-timeout.ts';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** After how many seconds a caller is given up who moves so many bytes each `everyMs`; undefined: they are not. */
function givenUpAfter(bytes: number, everyMs: number, seconds: number): number | undefined {
  const transferTimeout = new TransferTimeout({ timeoutMs: 10_000, leastBytesPerSecond: 100 });
  for (let atMs = 0; atMs < seconds * 1_000; atMs += everyMs) {
    const over: number[] = [];
    const began = performance.now();
    const stop = transferTimeout.wait(() => over.push(performance.now() - began));
    jest.advanceTimersByTime(everyMs);
    if (over[0] !== undefined) return (atMs + over[0]) / 1_000;
    stop();
    transferTimeout.moved(bytes);
  }
  return undefined;
}

describe('a transfer timeout', () => {
  it('ends with a silence that is too long, after any number of bytes', () => {
    const transferTimeout = new TransferTimeout({ timeoutMs: 10_000, leastBytesPerSecond: 100 });
    transferTimeout.moved(1_000_000);
    const over = jest.fn();
    transferTimeout.wait(over);
    jest.advanceTimersByTime(9_999);
    expect(over).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(over).toHaveBeenCalledTimes(1);
  });

  it('lasts for ever with one who keeps to the least rate, in small pieces or in large ones', () => {
    expect(givenUpAfter(100, 1_000, 600)).toBeUndefined();
    expect(givenUpAfter(900, 9_000, 600)).toBeUndefined();
  });

  it('ends with one who never falls silent, but is too slow in the long run: the slower, the sooner', () => {
    expect(givenUpAfter(1, 1_000, 600)).toBeCloseTo(10, 0);
    expect(givenUpAfter(50, 1_000, 600)).toBeCloseTo(19, 0);
    expect(givenUpAfter(90, 1_000, 600)).toBeCloseTo(91, 0);
  });

  it('is used up only while the gateway waits for the caller', () => {
    const transferTimeout = new TransferTimeout({ timeoutMs: 10_000, leastBytesPerSecond: 100 });
    const over = jest.fn();
    transferTimeout.wait(over)();
    jest.advanceTimersByTime(60_000);
    transferTimeout.wait(over);
    jest.advanceTimersByTime(9_999);
    expect(over).not.toHaveBeenCalled();
  });
});
