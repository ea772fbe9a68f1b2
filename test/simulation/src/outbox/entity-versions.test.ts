import { expect, it } from '@jest/globals';
import { acknowledgementFaults, versionFaults } from './entity-versions.ts';

const topicOf = (...versions: readonly number[]) =>
  versions.map((version) => ({ id: 'e', version, by: `w${version}` }));
const committed = (last: number) => new Map([['e', Array.from({ length: last }, (_, index) => `w${index + 1}`)]]);
const faults = (last: number, ...versions: readonly number[]) =>
  versionFaults(['e'], committed(last), topicOf(...versions));

it('accepts each version in its order, and repeats', () => {
  expect(faults(3, 1, 2, 3)).toEqual([]);
  expect(faults(3, 1, 2, 1, 2, 3, 3)).toEqual([]);
  expect(faults(0)).toEqual([]);
});

it.each([
  ['a missing version', faults(3, 1, 3), 'lacks the committed versions 2.'],
  ['a version that was not committed', faults(1, 1, 2), 'has version 2 of w2, which'],
  [
    'a version of another try',
    versionFaults(['e'], committed(1), [{ id: 'e', version: 1, by: 'w9' }]),
    'version 1 of w9',
  ],
  ['another order', faults(3, 2, 1, 3), 'in the order 2, 1, 3.'],
])('finds %s', (_, found, text) => {
  expect(found).toEqual([expect.stringContaining(text)]);
});

it('finds an acknowledged version that is not stored, and one that another try has', () => {
  expect(acknowledgementFaults(topicOf(1, 2), committed(2))).toEqual([]);
  expect(acknowledgementFaults(topicOf(3), committed(2))).toEqual([
    'e: version 3 was acknowledged to w3 and is not stored.',
  ]);
  expect(acknowledgementFaults([{ id: 'e', version: 1, by: 'w9' }], committed(2))).toHaveLength(1);
});
