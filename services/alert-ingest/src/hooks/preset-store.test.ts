import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Presets } from './preset.ts';
import { presetsOf, readPresets, readSamples } from './preset-store.ts';

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

  it('of the operator are beside those of Tocsin, and recognise requests before them', async () => {
    const detect = [{ field: '$.heartbeat', not: true, operation: 'is-empty' }];
    await write('tool.json', { ...MINIMAL, detect });
    const presets = await presetsOf(folder);
    const tool = presets.named('tool');
    expect(presets.named('alertmanager')).toBeDefined();
    expect(presets.all.filter((preset) => presets.isOwn(preset))).toEqual([tool]);
    expect(presets.chosen({ type: 'API' }, () => true)).toBe(tool);
    expect((await presetsOf(undefined)).named('tool')).toBeUndefined();
  });

  it.each([
    ['a name of one of Tocsin', 'pagerduty', {}, /The presets \[pagerduty\] and \[pagerduty\] have the same name/],
    ['the fallback', 'fallback', {}, /have the same name \[fallback\]/],
    ['a type of one of Tocsin', 'tool', { types: ['prometheus'] }, /\[tool\] and \[alertmanager\] have the same type/],
    ['a wrong field', 'tool', { colour: 'red' }, /tool\.json is no preset.*"colour"/],
  ])('of the operator may not have %s', async (_, name, changes, problem) => {
    await write(`${name}.json`, { ...MINIMAL, name, ...changes });
    await expect(presetsOf(folder)).rejects.toThrow(problem);
    await expect(presetsOf(folder)).rejects.toThrow(/^WEBHOOK_PRESETS_DIR can not be used: /);
  });

  it('of the operator are in a folder that there is, and at most 20 of them recognise requests', async () => {
    await expect(presetsOf(path.join(folder, 'none'))).rejects.toThrow(/^WEBHOOK_PRESETS_DIR can not be used: ENOENT/);
    const detect = [{ field: '$.a', operation: 'is-empty' }];
    for (let count = 1; count <= 21; count += 1)
      await write(`tool-${count}.json`, { ...MINIMAL, name: `tool-${count}`, detect });
    await expect(presetsOf(folder)).rejects.toThrow(/More than 20 presets of the folder have conditions/);
  });

  it('have no type and no vendor twice, and a fallback', async () => {
    await write('tool.json', { ...MINIMAL, types: ['Tool'] });
    await write('a.json', { ...MINIMAL, name: 'a', types: ['TOOL'] });
    const twice = await readPresets(folder);
    expect(() => new Presets(twice)).toThrow('The presets [a] and [tool] have the same type [Tool]');
    expect(() => new Presets(twice.slice(1))).toThrow('There is no preset [fallback].');
  });
});

describe('the samples of a folder', () => {
  beforeEach(() => mkdir(path.join(folder, 'tool')));

  it('are read by their preset, in the order of their names', async () => {
    await write('tool/open.json', { about: 'A disk is full.', body: { a: 1 } });
    await write('tool/close.json', { about: 'It is not.', body: {}, headers: { b: 'c' } });
    const read = await readSamples(folder);
    expect([...read.keys()]).toEqual(['tool']);
    expect(read.get('tool')).toEqual([
      { name: 'close', about: 'It is not.', body: {}, headers: { b: 'c' }, query: {}, keyless: false },
      { name: 'open', about: 'A disk is full.', body: { a: 1 }, headers: {}, query: {}, keyless: false },
    ]);
  });

  it('refuse what is no sample, by the name of the file and of the field', async () => {
    await write('tool/open.json', { about: '', body: {} });
    await expect(readSamples(folder)).rejects.toThrow(/open\.json is no sample\. about: /);
  });
});
