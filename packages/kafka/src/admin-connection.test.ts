import { describe, expect, it } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { AdminConnection } from './admin-connection.ts';

function connection() {
  const log: string[] = [];
  let made = 0;
  const admins = new AdminConnection(() => {
    made += 1;
    const name = `admin ${made}`;
    log.push(`${name} connects`);
    return Promise.resolve({ disconnect: () => Promise.resolve(log.push(`${name} ends`)) } as unknown as Admin);
  });
  return { admins, log };
}

describe('AdminConnection', () => {
  it('is shared by all requests', async () => {
    const { admins, log } = connection();
    await Promise.all([admins.ask(() => Promise.resolve(1)), admins.ask(() => Promise.resolve(2))]);
    await admins.stop();
    expect(log).toEqual(['admin 1 connects', 'admin 1 ends']);
  });

  it('is opened again after a failed request, and closes once its other requests are answered', async () => {
    const { admins, log } = connection();
    const { promise, resolve } = Promise.withResolvers<string>();
    const slow = admins.ask(() => promise);
    await expect(admins.ask(() => Promise.reject(new Error('no such topic')))).rejects.toThrow('no such topic');
    expect(await admins.ask(() => Promise.resolve('second'))).toBe('second');
    expect(log).toEqual(['admin 1 connects', 'admin 2 connects']);
    resolve('first');
    expect(await slow).toBe('first');
    expect(log).toEqual(['admin 1 connects', 'admin 2 connects', 'admin 1 ends']);
  });
});
