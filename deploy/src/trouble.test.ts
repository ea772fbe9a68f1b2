import { expect, test } from '@jest/globals';
import { explained } from './trouble.ts';

test('a full disk is said without the place in the code that met it', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

  expect(explained(full)).toBe('ENOSPC: no space left on device, write');
});
