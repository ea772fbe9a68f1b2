import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { secret } from './input.ts';
import type { ProcessIo } from './process-io.ts';

/** A terminal at which a user types `keys`. */
function terminal(...keys: readonly string[]) {
  const raw: boolean[] = [];
  const shown: string[] = [];
  const stdin = Object.assign(Readable.from(keys.map((key) => Buffer.from(key))), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => raw.push(isRaw),
  });
  const io = { stdin, stderr: { write: (text: string) => shown.push(text) } } as unknown as ProcessIo;
  return { raw, shown, typed: () => secret(io, 'Key: ') };
}

describe('a secret that is typed', () => {
  it('is taken until Enter, and nothing of it is shown', async () => {
    const { raw, shown, typed } = terminal('ke', 'x\u007f', 'y\r', 'more');
    expect(await typed()).toBe('key');
    expect([shown, raw]).toEqual([
      ['Key: ', '\n'],
      [true, false],
    ]);
  });

  it('is taken as it is pasted, and at the end of the input', async () => {
    expect(await terminal('key\nsecond line').typed()).toBe('key');
    expect(await terminal('key\u0004').typed()).toBe('key');
    expect(await terminal('key').typed()).toBe('key');
  });

  it('is given up on Ctrl-C, and the terminal is as before', async () => {
    const { raw, typed } = terminal('ke', '\u0003');
    await expect(typed()).rejects.toMatchObject({ exitCode: 130 });
    expect(raw).toEqual([true, false]);
  });
});
