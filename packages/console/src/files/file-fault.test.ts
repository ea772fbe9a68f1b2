import { expect, test } from '@jest/globals';
import { fileFault, MAX_FILE_BYTES } from './file-fault.ts';

test('A file of one byte more than an alert takes is not sent.', () => {
  expect(fileFault({ size: MAX_FILE_BYTES })).toBeUndefined();
  expect(fileFault({ size: MAX_FILE_BYTES + 1 })).toContain('more than 50 MiB');
});
