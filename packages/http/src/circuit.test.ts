import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Circuit } from './circuit.ts';

let nowMs: number;
let changes: string[];
let circuit: Circuit;

beforeEach(() => {
  nowMs = 0;
  changes = [];
  circuit = new Circuit({ failures: 3, retryMs: 1_000, now: () => nowMs, onChange: (state) => changes.push(state) });
});

const mayEnter = (): boolean => {
  try {
    circuit.enter();
    return true;
  } catch {
    return false;
  }
};

const fail = (times: number): void => {
  for (let time = 0; time < times; time += 1) circuit.failed(circuit.enter(), new Error('refused'));
};

/** A service that answered last at 0 and has refused three requests by now, 1000. */
const open = (): void => {
  nowMs = 1_000;
  fail(3);
};

describe('a circuit', () => {
  it('refuses at once when as many requests as it takes have failed and no request was answered for a while', () => {
    nowMs = 1_000;
    fail(2);
    expect(mayEnter()).toBe(true);
    fail(1);
    expect(mayEnter()).toBe(false);
    expect(() => {
      circuit.check();
    }).toThrow('A service is not available. Please try again.');
    expect(changes).toEqual(['open']);
  });

  it('stays closed while the last answer is younger than the time between two tries, however many fail', () => {
    nowMs = 999;
    fail(1_000);
    expect(mayEnter()).toBe(true);
    nowMs = 1_000;
    fail(1);
    expect(mayEnter()).toBe(false);
  });

  it('counts from zero after each answer', () => {
    nowMs = 1_000;
    fail(2);
    circuit.answered();
    nowMs = 2_000;
    fail(2);
    expect(mayEnter()).toBe(true);
    expect(changes).toEqual([]);
  });

  it('takes no account of a failure whose request was sent before the last answer', () => {
    const sent = [circuit.enter(), circuit.enter(), circuit.enter()];
    nowMs = 1;
    circuit.answered();
    nowMs = 15_000;
    for (const sentAtMs of sent) circuit.failed(sentAtMs, new Error('silent'));
    expect(mayEnter()).toBe(true);
  });

  it('lets one request try after a while, and another a while later, whether the first has ended or not', () => {
    open();
    nowMs = 1_999;
    expect(mayEnter()).toBe(false);
    nowMs = 2_000;
    expect([mayEnter(), mayEnter()]).toEqual([true, false]);
    nowMs = 3_000;
    expect([mayEnter(), mayEnter()]).toEqual([true, false]);
    expect(changes).toEqual(['open']);
  });

  it('says of a place whether it is free without taking it', () => {
    open();
    nowMs = 2_000;
    circuit.check();
    circuit.check();
    expect(mayEnter()).toBe(true);
  });

  it('stays open when the try fails, and closes for all when it is answered', () => {
    open();
    nowMs = 2_000;
    fail(1);
    expect(mayEnter()).toBe(false);
    nowMs = 3_000;
    circuit.enter();
    circuit.answered();
    expect([mayEnter(), mayEnter()]).toEqual([true, true]);
    expect(changes).toEqual(['open', 'closed']);
  });

  it('closes by an answer to a request that was sent before it opened', () => {
    circuit.enter();
    open();
    circuit.answered();
    expect(mayEnter()).toBe(true);
  });

  it('never refuses a caller while some request has been answered within the time between two tries', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.boolean()), { maxLength: 200 }), (steps) => {
        nowMs = 0;
        const tried = new Circuit({ failures: 1, retryMs: 1_000, now: () => nowMs, onChange: () => undefined });
        let answeredAtMs = 0;
        for (const [laterMs, alive] of steps) {
          nowMs = Math.min(nowMs + laterMs, answeredAtMs + 999);
          const sentAtMs = tried.enter();
          if (alive) {
            tried.answered();
            answeredAtMs = nowMs;
          } else tried.failed(sentAtMs, new Error('refused'));
        }
      }),
    );
  });
});
