import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { tryCommandsBy } from './trial-client.ts';

const TRIAL = { commands: [], holder: 'key-1' };
const answering = (body: Readonly<Record<string, unknown>>) =>
  tryCommandsBy({ post: () => Promise.resolve({ status: 200, body }) });

describe('what commands would come to', () => {
  it('is what alert-processor says', async () => {
    const commands = [{ requestId: 'r1', outcome: 'opened', status: 'Created alert' }];
    expect(await answering({ data: { commands } })(TRIAL)).toEqual(commands);
  });

  it('is not known while it does not answer, or not as expected', async () => {
    expect(await answering({ message: 'Not found' })(TRIAL)).toBeUndefined();
    const post = () => Promise.reject(new UnavailableError('unavailable'));
    expect(await tryCommandsBy({ post })(TRIAL)).toBeUndefined();
    await expect(tryCommandsBy({ post: () => Promise.reject(new TypeError('odd')) })(TRIAL)).rejects.toThrow('odd');
  });
});
