import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Presets } from './preset.ts';
import { readPresets } from './preset-store.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'presets-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const MINIMAL = { name: 'tool', title: 'Tool', fields: { key: ['id'], summary: ['text'] } };
const write = (name: string, content: unknown) =>
  writeFile(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));

describe('the presets of a folder', () => {
  it('are read by the order of their names, with nothing but these fields', async () => {
    await write('tool.json', MINIMAL);
    await write('a.json', { ...MINIMAL, name: 'a' });
    await write('README.md', 'no preset');
    expect((await readPresets(folder)).map(({ name }) => name)).toEqual(['a', 'tool']);
  });

  it.each([
    ['a field that is not known', { ...MINIMAL, colour: 'red' }, /tool\.json is no preset.*"colour"/],
    ['no key', { ...MINIMAL, fields: { summary: ['text'] } }, /tool\.json is no preset\. fields\.key: /],
    ['another name', { ...MINIMAL, name: 'other' }, /name: should be that of the file/],
    ['states without a field', { ...MINIMAL, states: { up: 'close' } }, /states: should stand beside the field state/],
    [
      'a state that there is not',
      { ...MINIMAL, fields: { ...MINIMAL.fields, state: ['s'] }, states: { up: 'shut' } },
      /states\.up: /,
    ],
    ['a priority that there is not', { ...MINIMAL, priorities: { low: 'P9' } }, /priorities\.low: /],
    [
      'a template that is not understood',
      { ...MINIMAL, fields: { ...MINIMAL.fields, text: ['{{_item.a.shout()}}'] } },
      /fields\.text\.0: is a template with a part that is not understood/,
    ],
    [
      'a pattern',
      { ...MINIMAL, detect: [{ field: 'a', operation: 'matches', expectedValue: '.*' }] },
      /detect\.0\.operation: should be no pattern/,
    ],
    ['what is no JSON', '{', /tool\.json is no JSON/],
  ])('refuse %s, by the name of the file and of the field', async (_, content, problem) => {
    await write('tool.json', content);
    await expect(readPresets(folder)).rejects.toThrow(problem);
  });

  it('have no type and no vendor twice, and a fallback', async () => {
    await write('tool.json', { ...MINIMAL, types: ['Tool'] });
    await write('a.json', { ...MINIMAL, name: 'a', types: ['TOOL'] });
    const twice = await readPresets(folder);
    expect(() => new Presets(twice)).toThrow('The presets [a] and [tool] have the same type [Tool]');
    expect(() => new Presets(twice.slice(1))).toThrow('There is no preset [fallback].');
  });
});
