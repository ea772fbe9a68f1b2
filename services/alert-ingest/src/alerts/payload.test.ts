import { describe, expect, it } from '@jest/globals';
import { compileTemplate, MAX_TEXT_AT_PATH } from '@tocsin/events';
import fc from 'fast-check';
import { pathReader, textAt } from './payload.ts';

const PAYLOAD = {
  check: { 'host.name': 'db-1', values: [97.5, 'x', null, true], up: false, id: 12345678 },
  'a key (b)': [{ c: 'd' }, ['e', { f: null }]],
  '[odd': 'odd',
};

describe('a path', () => {
  it.each([
    ['check.up', 'false'],
    ['check.id', '12345678'],
    ['check.host.name', 'db-1'],
    ['check["host.name"]', 'db-1'],
    ['["check"]["host.name"]', 'db-1'],
    ['a key (b)[0].c', 'd'],
    ['["a key (b)"].0["c"]', 'd'],
    ['a key (b).1.0', 'e'],
    ['check.values', '97.5, x, , true'],
    ['[odd', 'odd'],
    ['none.x', ''],
    ['check.up.x', ''],
    ['check[', ''],
    ['check..up', ''],
    ['constructor.name', ''],
    ['check.values.length', '4'],
    ['a.'.repeat(2_000), ''],
  ])('%j gives %j', (path, expected) => {
    expect(textAt(PAYLOAD, path)).toBe(expected);
    expect(pathReader(PAYLOAD)(path)).toBe(expected);
  });

  it('to a map gives JSON, also within a list, but none where a preset names its sources', () => {
    const read = pathReader(PAYLOAD);
    expect(read('check')).toBe(JSON.stringify(PAYLOAD.check));
    expect(read('')).toBe(JSON.stringify(PAYLOAD));
    expect(read('a key (b)')).toBe('{"c":"d"}, ["e",{"f":null}]');
    expect(textAt(PAYLOAD, 'check')).toBe('');
    expect(textAt(PAYLOAD, 'a key (b)')).toBe(', ');
  });

  it('gives at most as much as a text may have, and of all maps together ten times that', () => {
    const map = { text: 'x'.repeat(2 * MAX_TEXT_AT_PATH) };
    const payload = { ...map, list: [map.text, map.text], maps: Array.from({ length: 12 }, () => ({ ...map })) };
    const read = pathReader(payload);
    for (const path of ['text', 'list', 'maps[0]']) expect(read(path)).toHaveLength(MAX_TEXT_AT_PATH);
    const lengths = payload.maps.map((_, index) => read(`maps[${index}]`).length);
    expect(lengths.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => MAX_TEXT_AT_PATH));
    expect(lengths.slice(10)).toEqual([0, 0]);
    expect(read('maps[0]')).toHaveLength(MAX_TEXT_AT_PATH);
  });

  it('never throws, whatever it reads, and gives a text within its bound', () => {
    const steps = fc.constantFrom(
      '.',
      '[',
      ']',
      '"',
      '0',
      'a',
      'check',
      '["a.b"]',
      '.get(0)',
      '[0]',
      ' ',
      '.substring(0,2)',
    );
    const path = fc.array(steps, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), path, (payload, written) => {
        const read = pathReader(payload);
        expect(read(written).length).toBeLessThanOrEqual(MAX_TEXT_AT_PATH);
        expect(
          typeof compileTemplate(`{{_payload${written}}} {{_item.${written}}}`)({ _payload: read, _item: read }),
        ).toBe('string');
      }),
    );
    let nested: unknown = 'x';
    for (let depth = 0; depth < 50_000; depth += 1) nested = { a: nested };
    expect(pathReader(nested)('a')).toMatch(/^\{"a":.*null/);
  });
});
