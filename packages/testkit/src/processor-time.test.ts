import { describe, expect, it } from '@jest/globals';
import { MAX_TURN_MS, measuredAnswer } from './longest-turn.ts';
import { leastMeasured, Processor, startProcessorTime } from './processor-time.ts';

/** A processor that takes so many milliseconds for each calibration; the last one repeats. */
function processorOf(...parseMs: readonly number[]): Processor {
  const left = [...parseMs];
  return new Processor(() => (left.length > 1 ? (left.shift() ?? 0) : (left[0] ?? 0)));
}

const always = (ms: number) => () => ({ ms });

describe('leastMeasured', () => {
  it.each([0.5, 1, 2, 4])('leaves 25 ms too long on a quiet processor that parses in %d ms', async (parseMs) => {
    const { ms } = await leastMeasured(MAX_TURN_MS, always(25), processorOf(parseMs));
    expect(ms).toBe(25);
  });

  it('halves what it measures while the processor is half as fast as before', async () => {
    expect(await leastMeasured(MAX_TURN_MS, always(24), processorOf(1, 2))).toEqual({ ms: 12 });
    expect(await leastMeasured(MAX_TURN_MS, always(50), processorOf(1, 2))).toEqual({ ms: 25 });
  });

  it('halves what it measures on a processor that is half as fast as a usual one', async () => {
    expect(await leastMeasured(MAX_TURN_MS, always(24), processorOf(8))).toEqual({ ms: 12 });
  });

  it('takes the one short measurement among 60 long ones', async () => {
    let tries = 0;
    const measure = () => ({ ms: (tries += 1) === 61 ? 8 : 200 });
    expect(await leastMeasured(MAX_TURN_MS, measure, processorOf(1))).toEqual({ ms: 8 });
  });
});

/** Some work, of a millisecond or a few. */
const TEXT = JSON.stringify(Array.from({ length: 10_000 }, (_, index) => ({ index })));

function work(times: number): { readonly ms: number } {
  const elapsedMs = startProcessorTime();
  for (let count = 0; count < times; count += 1) JSON.parse(TEXT);
  return { ms: elapsedMs() };
}

describe('measuredAnswer', () => {
  // The work is counted and not timed, because it also takes longer on a slower processor. It is well over the limit, because a processor may
  // become faster by half after it was calibrated.
  it('finds that a read blocks the event loop for 50 ms', async () => {
    const { ms: msOfTen } = await leastMeasured(0, () => work(10));
    const times = Math.ceil((50 / msOfTen) * 10);
    const app: Parameters<typeof measuredAnswer>[0]['app'] = (_, response) => {
      for (let count = 0; count < times; count += 1) JSON.parse(TEXT);
      response.end();
    };
    const { longestTurnMs, status } = await measuredAnswer({ app, path: '/', headers: {} });
    expect(status).toBe(200);
    expect(longestTurnMs).toBeGreaterThan(MAX_TURN_MS);
  });
});
