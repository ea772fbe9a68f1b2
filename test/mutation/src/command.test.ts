import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { AREAS } from './areas.ts';
import { readCommand } from './command.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

describe('the command', () => {
  it('runs all areas, or those that are named', () => {
    expect(readCommand([])).toEqual({ kind: 'run', areas: [...AREAS.keys()] });
    expect(readCommand(['planning', 'rules'])).toEqual({ kind: 'run', areas: ['planning', 'rules'] });
  });

  it('refuses an area that there is not, and one that is named twice', () => {
    expect(() => readCommand(['paging'])).toThrow('There is no area paging. There are: rules,');
    expect(() => readCommand(['rules', 'rules'])).toThrow('Each area should be named once.');
    expect(() => readCommand(['--area', 'rules'])).toThrow("'--area'");
  });
});

it.each([...AREAS])('the area %s names files and a workspace that exist', (_, { files, workspace }) => {
  const named = files.filter((file) => !file.includes('*') && !file.startsWith('!'));
  expect([workspace, ...named].filter((each) => !existsSync(path.join(ROOT, each)))).toEqual([]);
});
