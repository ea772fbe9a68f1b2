import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { editedSource } from '@tocsin/testkit/source-edits';
import { applyMutation, MUTATIONS } from './mutations.ts';

it.each(MUTATIONS)('$name changes the code as it is', async (mutation) => {
  const source = await readFile(new URL(`../../../${mutation.file}`, import.meta.url), 'utf8');
<<<<<<< HEAD
  expect(editedSource(source, mutation)).not.toBe(source);
=======
  expect(mutated(source, mutation)).not.toBe(source);
});

it('a mutation of code that has changed is refused', () => {
  expect(() => mutated('other', { name: 'm', file: 'f.ts', replace: [['some', 'any']] })).toThrow(
    'adapt the mutation m',
  );
>>>>>>> 1426fe49 (test/simulation: simulate the pages of notifier on a Kafka in memory)
});

it('an unknown mutation is refused', () => {
  expect(() => {
    applyMutation('none');
  }).toThrow('There is no mutation none.');
});
