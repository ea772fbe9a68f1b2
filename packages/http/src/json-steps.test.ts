import { describe, expect, it } from '@jest/globals';
import { finished } from '@tocsin/core';
import { leastMeasured, MAX_TURN_MS, startProcessorTime } from '@tocsin/testkit';
import fc from 'fast-check';
import { HOOK_BOUNDS, REQUEST_BOUNDS } from './json-bounds.ts';
import { jsonInSteps, textOfMember } from './json-steps.ts';

const read = (json: string): unknown => finished(jsonInSteps(json, HOOK_BOUNDS));
const WIDE = 'x'.repeat(70_000);

/** A JSON text in which some values are longer than those that are read at once. */
const longJson = fc
  .tuple(fc.jsonValue({ maxDepth: 3 }), fc.array(fc.jsonValue({ maxDepth: 2 })), fc.constantFrom('', '\n', ' \t'))
  .map(([value, list, space]) =>
    JSON.stringify(
      { value, long: [WIDE, ...list, { '__proto__ ': WIDE, inner: { list, wide: WIDE } }], after: list },
      null,
      space,
    ),
  );

describe('JSON in steps', () => {
  it('is read as JSON.parse reads it, however long', () => {
    fc.assert(
      fc.property(longJson, (json) => {
        expect(read(json)).toEqual(JSON.parse(json));
      }),
      { numRuns: 50 },
    );
  });

  const written = (json: string): unknown => finished(jsonInSteps(json, HOOK_BOUNDS, { writtenNumbers: true }));

  it('keeps numbers as they are written, where that is asked for', () => {
    const numbers = ['12345678901234567890', '9007199254740993', '1.10', '1e400', '1E2', '-0', '0.0', '0.0000001'];
    for (const space of ['', WIDE]) {
      const json = `{"wide":"${space}","numbers":[${numbers.join(', ')}],"plain":[0,-1,1.5,1234567890],"text":"1.10"}`;
      expect(written(json)).toEqual({ wide: space, numbers, plain: [0, -1, 1.5, 1234567890], text: '1.10' });
    }
    expect(() => written('{1.10:2}')).toThrow('Request body is not valid JSON.');
    expect(() => written('[1.10.1]')).toThrow('Request body is not valid JSON.');
  });

  const longestStep = (json: string): { readonly ms: number } => {
    let longest = 0;
    const steps = jsonInSteps(json, HOOK_BOUNDS, { writtenNumbers: true });
    for (let isDone: boolean | undefined = false; !isDone;) {
      const elapsedMs = startProcessorTime();
      isDone = steps.next().done;
      longest = Math.max(longest, elapsedMs());
    }
    return { ms: longest };
  };

  it.each([
    ['a number of nearly 4 MiB', '9'.repeat(4_000_000)],
    ['a fraction of nearly 4 MiB', `0.${'0'.repeat(4_000_000)}`],
    ['many numbers', `[${'1.10,'.repeat(9_000)}"${WIDE}"]`],
  ])('reads %s as written in steps of at most 20 ms of processor time', async (_, json) => {
    const { ms } = await leastMeasured(MAX_TURN_MS, () => longestStep(json));
    expect(ms).toBeLessThanOrEqual(MAX_TURN_MS);
  });

  it('is refused wherever JSON.parse refuses it', () => {
    const outcome = (action: () => unknown) => {
      try {
        return { value: action() };
      } catch {
        return 'refused';
      }
    };
    fc.assert(
      fc.property(longJson, fc.nat(), fc.constantFrom('"', ']', '}', '[', ',', ':', '1', ' ', ''), (json, at, mark) => {
        const place = at % json.length;
        const changed = json.slice(0, place) + mark + json.slice(place + 1);
        expect(outcome(() => read(changed))).toEqual(outcome(() => JSON.parse(changed) as unknown));
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['a comma at the end', `[${JSON.stringify(WIDE)},]`],
    ['no comma', `[${JSON.stringify(WIDE)} 1]`],
    ['another bracket', `{"a":${JSON.stringify(WIDE)}]`],
    ['more behind it', `[${JSON.stringify(WIDE)}] 1`],
    ['no value', `{"a":,"b":${JSON.stringify(WIDE)}}`],
    ['a name without quotes', `{a:${JSON.stringify(WIDE)}}`],
  ])('is refused with %s', (_, json) => {
    expect(() => read(json)).toThrow('Request body is not valid JSON.');
  });

  it('is undefined where it is blank or null, and keeps a member __proto__', () => {
    expect([read(''), read(' \n'), read('null')]).toEqual([undefined, undefined, undefined]);
    const value = read(`{"__proto__":{"a":1},"b":${JSON.stringify(WIDE)}}`) as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'b']);
  });

  it('is refused over its bounds', () => {
    const list = `[${Array.from({ length: 2_001 }, () => '0').join()}]`;
    expect(() => finished(jsonInSteps(list, REQUEST_BOUNDS))).toThrow();
    expect(read(list)).toHaveLength(2_001);
  });
});

describe('the text of a member', () => {
  it.each([
    ['behind an object that has one too', '{"a":{"apiKey":"no"},"apiKey":"yes"}', 'yes'],
    ['behind a long value', `{"long":[[${JSON.stringify(WIDE)}]],"apiKey" : "\\u0079es" }`, 'yes'],
    ['the last of several', '{"apiKey":"no","apiKey":"yes"}', 'yes'],
    ['none of a number', '{"apiKey":7}', undefined],
    ['none of a list', '[{"apiKey":"no"}]', undefined],
    ['none of a text', '"apiKey"', undefined],
    ['none of a cut text', '{"apiKey":"cut', undefined],
    ['none of a deep value', `{"x":${'['.repeat(200_000)}`, undefined],
    ['none of nothing', '', undefined],
  ])('is found %s', (_, json, text) => {
    expect(finished(textOfMember(json, 'apiKey'))).toBe(text);
  });
});
