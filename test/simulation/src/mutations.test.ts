import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { editedSource } from '@tocsin/testkit/source-edits';
import { applyMutation, MUTATIONS } from './mutations.ts';

it.each(MUTATIONS)('$name changes the code as it is', async (mutation) => {
  const source = await readFile(new URL(`../../../${mutation.file}`, import.meta.url), 'utf8');
  expect(editedSource(source, mutation)).not.toBe(source);
});

it('an unknown mutation is refused', () => {
  expect(() => {
    applyMutation('none');
  }).toThrow('There is no mutation none.');
});
