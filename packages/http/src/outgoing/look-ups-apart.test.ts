import { describe, expect, it } from '@jest/globals';
import type { LookupAddress } from 'node:dns';
import { lookUpsApart } from './look-ups-apart.ts';

const FOUND: readonly LookupAddress[] = [{ address: '192.0.2.1', family: 4 }];
const unknown = () => Promise.reject(new Error('ENOTFOUND'));

describe('a look-up apart', () => {
  it('takes what name servers answer, and asks the machine nothing', async () => {
    const resolve = lookUpsApart({ asked: () => Promise.resolve(FOUND), machine: unknown });
    expect(await resolve('hook.example.com')).toEqual(FOUND);
  });

  it('asks the machine for what they do not answer, for one name at a time, also after one that it does not know', async () => {
    const begun: string[] = [];
    const slow = Promise.withResolvers<readonly LookupAddress[]>();
    const machine = (host: string) => {
      begun.push(host);
      return host === 'slow' ? slow.promise : Promise.resolve(FOUND);
    };
    const resolve = lookUpsApart({ asked: (host) => (host === 'answered' ? Promise.resolve([]) : unknown()), machine });
    const first = resolve('slow');
    const second = resolve('hosts');
    expect(await resolve('answered')).toEqual([]);
    await new Promise(setImmediate);
    expect(begun).toEqual(['slow']);
    slow.reject(new Error('EAI_AGAIN'));
    await expect(first).rejects.toThrow('EAI_AGAIN');
    expect(await second).toEqual(FOUND);
    expect(begun).toEqual(['slow', 'hosts']);
  });

  it('finds what the file of hosts says', async () => {
    expect((await lookUpsApart()('localhost')).map(({ address }) => address)).toContain('127.0.0.1');
  });
});
