import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { storeAttachment } from './client.ts';

const FILE = { name: 'a&b ü.txt', type: 'text/plain', bytes: Buffer.from('-hello-').subarray(1, 6) };
const answering = (status: number, body: Readonly<Record<string, unknown>>) => {
  const asked: { path: string; text: string }[] = [];
  const client: Parameters<typeof storeAttachment>[0] = {
    postBytes: (path, bytes) => {
      asked.push({ path, text: (bytes as Buffer).toString() });
      return Promise.resolve({ status, body });
    },
  };
  return { store: (file: typeof FILE) => storeAttachment(client, file, 'mail-1'), asked };
};

describe('a file of a mail that is stored in alert-processor', () => {
  it('goes there as it is, and is known by the id that it gets', async () => {
    const { store, asked } = answering(201, { data: { id: '17' } });
    expect(await store(FILE)).toBe('17');
    const [{ path, text } = { path: '', text: '' }] = asked;
    expect(text).toBe('hello');
    const { pathname, searchParams } = new URL(path, 'http://x');
    const query = { name: FILE.name, type: FILE.type, integrationId: 'mail-1' };
    expect([pathname, Object.fromEntries(searchParams)]).toEqual(['/internal/attachments', query]);
  });

  it('is left out where there is no space for files of mails', async () => {
    expect(await answering(200, { data: {} }).store(FILE)).toBeUndefined();
  });

  it('has no id when it is not stored', async () => {
    await expect(answering(422, {}).store(FILE)).rejects.toThrow('A file of a mail was answered 422.');
    await expect(answering(201, {}).store(FILE)).rejects.toThrow();
    const unavailable = { postBytes: () => Promise.reject(new UnavailableError('unavailable')) };
    await expect(storeAttachment(unavailable, FILE, 'mail-1')).rejects.toThrow(UnavailableError);
  });
});
