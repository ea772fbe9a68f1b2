import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { AppError, TooLargeError } from '@tocsin/core';
import { readForm, type ArrivingFile } from './index.ts';

const SHAPE = {
  file: 'file',
  fields: z.object({ user: z.string().max(10).optional(), indexFile: z.string().optional() }),
};
const TYPE = 'multipart/form-data; boundary=B';

const field = (name: string, value: string): string =>
  `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (content: string, { name = 'file', filename = '; filename="a.txt"', type = 'text/plain' } = {}): string =>
  `--B\r\nContent-Disposition: form-data; name="${name}"${filename}\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`;
const END = '--B--\r\n';

/** As a connection gives them: each chunk, and the end, in a turn of its own. */
async function* arriving(chunks: readonly (string | Buffer)[]): AsyncGenerator<Buffer, void> {
  for (const chunk of chunks) {
    yield Buffer.from(chunk);
    await nextTurn();
  }
}

/** Reads a form that arrives in `chunks`; resolves with the file that was taken, whole. */
async function read(chunks: readonly (string | Buffer)[], { type = TYPE, take = whole } = {}) {
  const taken: { name: string; type: string; text: string }[] = [];
  const body = { type, length: undefined, bytes: Readable.from(arriving(chunks), { objectMode: false }) };
  const { fields } = await readForm(body, SHAPE, async (arriving) => {
    taken.push({ name: arriving.name, type: arriving.type, text: await take(arriving) });
  });
  return { fields, taken };
}

async function whole({ bytes }: ArrivingFile): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('a form', () => {
  it('gives its file while it arrives, and its fields before and after it', async () => {
    const form = [field('user', 'Ada'), file('one\r\ntwo'), field('indexFile', 'index.html'), END];
    expect(await read([form.join('')])).toEqual({
      fields: { user: 'Ada', indexFile: 'index.html' },
      taken: [{ name: 'a.txt', type: 'text/plain', text: 'one\r\ntwo' }],
    });
  });

  it('is read the same however it is cut into chunks', async () => {
    const form = Buffer.from(field('user', 'Zoë') + file('x'.repeat(500) + '\r\n--B', { type: 'image/png' }) + END);
    const expected = await read([form]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(form.length), { maxLength: 20 }), async (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), form.length];
        expect(await read(at.slice(1).map((end, index) => form.subarray(at[index], end)))).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['with folders', '; filename="C:\\\\dir\\\\a.txt"', 'a.txt'],
    ['in UTF-8', '; filename="Größe 🔥.txt"', 'Größe 🔥.txt'],
    ['in the extended form', "; filename*=UTF-8''Gr%C3%B6%C3%9Fe.txt", 'Größe.txt'],
    ['that is empty', '; filename=""', ''],
  ])('names its file %s', async (_, filename, name) => {
    expect((await read([file('x', { filename }) + END])).taken).toMatchObject([{ name }]);
  });

  it('may hold other files, which are skipped, and an empty one', async () => {
    const form = [file('skipped', { name: 'other' }), file(''), file('too', { name: 'other' }), END];
    expect((await read(form)).taken).toMatchObject([{ text: '' }]);
  });

  it.each<[string, string, { code: string; fields?: object }, string?]>([
    ['without the file', field('user', 'Ada') + END, { code: 'invalid', fields: { file: 'should be provided' } }],
    ['whose file is a field', field('file', 'text') + END, { code: 'invalid', fields: { file: 'should be provided' } }],
    ['with two files', file('a') + file('b') + END, { code: 'invalid', fields: { file: 'should be one file' } }],
    ['with a field that does not fit', field('user', 'x'.repeat(11)) + file('a') + END, { code: 'invalid' }],
    ['with far too long a field', field('user', 'x'.repeat(9_000)) + file('a') + END, { code: 'invalid' }],
    ['of too many parts', field('f', '').repeat(50) + file('a') + END, { code: 'invalid' }],
    ['with too many files', file('a', { name: 'x' }).repeat(20) + END, { code: 'invalid' }],
    ['that stops in its file', file('a'.repeat(100)).slice(0, -20), { code: 'malformed' }],
    ['that stops before its end', file('a'), { code: 'malformed' }],
    ['that goes on after its end', '--B\r\n\r\n--B--\r\n--B\r\n', { code: 'invalid' }],
    ['that is empty', '', { code: 'malformed' }],
    ['that is none', '{"file":1}', { code: 'malformed' }],
    ['of another content type', '{}', { code: 'unsupported-media-type' }, 'application/json'],
    ['that is urlencoded', 'file=1', { code: 'unsupported-media-type' }, 'application/x-www-form-urlencoded'],
    ['without a boundary', file('a') + END, { code: 'malformed' }, 'multipart/form-data'],
  ])('%s is refused', async (_, form, refusal, type = TYPE) => {
    await expect(read([form], { type })).rejects.toMatchObject(refusal);
  });

  it('ends with its last boundary, whatever follows', async () => {
    const after = ['', '\r\n', 'an epilogue\r\n', '--B\r\n', 'x'.repeat(300_000)];
    for (const more of after)
      expect((await read([file('a'), `--B--\r\n${more}`])).taken).toMatchObject([{ text: 'a' }]);
    expect((await read([`${file('a')}--B--\r\n--B\r\n`])).taken).toMatchObject([{ text: 'a' }]);
    expect((await read([file('a'), END, 'x', 'y'])).taken).toMatchObject([{ text: 'a' }]);
  });

  it('that was not sent lacks the file', async () => {
    const body = { type: '', length: undefined, bytes: Readable.from([]) };
    await expect(readForm(body, SHAPE, () => Promise.resolve())).rejects.toMatchObject({ code: 'invalid' });
  });

  it('is read no further when its file is refused, and the refusal is answered', async () => {
    let sent = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from(file('').slice(0, -2));
      for (;;) {
        sent += 1;
        yield await Promise.resolve(Buffer.alloc(65_536));
      }
    }
    const bytes = Readable.from(endless(), { objectMode: false });
    const reading = readForm({ type: TYPE, length: undefined, bytes }, SHAPE, async (arriving) => {
      for await (const chunk of arriving.bytes) if (chunk.length > 0) throw new TooLargeError('Too large.');
    });
    await expect(reading).rejects.toBeInstanceOf(TooLargeError);
    expect(sent).toBeLessThan(20);
  });

  it('is refused in the words of the reader of its file, also where they come later', async () => {
    const reading = read([file('a'.repeat(200_000)), END], {
      take: async (arriving) => {
        try {
          for await (const chunk of arriving.bytes) if (chunk.length > 0) throw new TooLargeError('Too large.');
          return '';
        } finally {
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      },
    });
    await expect(reading).rejects.toBeInstanceOf(TooLargeError);
  });

  it('whose reader has a defect is not blamed for it', async () => {
    const reading = read([file('a'.repeat(200_000)), END], { take: () => Promise.reject(new Error('a defect')) });
    await expect(reading).rejects.toThrow(new Error('a defect'));
  });

  it('that breaks off ends its file with an error before it is refused', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from(file('a'.repeat(50)).slice(0, -10));
      await Promise.resolve();
      throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    }
    const ended: string[] = [];
    const bytes = Readable.from(broken(), { objectMode: false });
    const reading = readForm({ type: TYPE, length: undefined, bytes }, SHAPE, async (arriving) => {
      await whole(arriving).catch(() => ended.push('file'));
      throw new Error('not whole');
    });
    await expect(reading.finally(() => ended.push('form'))).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(ended).toEqual(['file', 'form']);
  });

  it('of any bytes is read or refused, and never hangs', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '--B',
        '--B--',
        '\r\n',
        '\r\n\r\n',
        'Content-Disposition: form-data; name="file"',
        '; filename="a"',
      ),
      fc.string({ maxLength: 20 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        const outcome = await read([`--B\r\n${pieces.join('')}`]).catch((error: unknown) => error);
        expect(outcome instanceof AppError || !(outcome instanceof Error)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
