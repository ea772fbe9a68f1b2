import fs from 'node:fs';
import { expect, test } from '@jest/globals';
import { explained } from './trouble.ts';

test('a full disk is said without the place in the code that met it', () => {
  let met: unknown;
  try {
    fs.writeFileSync('/dev/full', 'x');
  } catch (error) {
    met = error;
  }

  expect(explained(met)).toBe('ENOSPC: no space left on device, write');
});
