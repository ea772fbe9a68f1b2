import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { service } from './testing/service-app-samples.ts';

const COMPRESSED = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', (bytes: Buffer | string) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } })],
] as const;

async function sending(): Promise<(body: Buffer, encoding: string) => Promise<{ status: number; body: unknown }>> {
  const { send, inputs, defects } = await service();
  return async (body, encoding) => {
    const asItIs = (bytes: Buffer) => bytes as unknown as string;
    const post = send('post', '/v2/alerts/x/close').type('json').set('Content-Encoding', encoding);
    const answer = await post.serialize(asItIs).send(body);
    expect(defects).toEqual([]);
    expect(inputs.length > 0).toBe(answer.status === 202);
    return { status: answer.status, body: inputs.at(-1)?.body ?? answer.body };
  };
}

const ofBytes = (bytes: number) => `{"pad":"${'x'.repeat(bytes - 10)}"}`;

describe.each(COMPRESSED)('a body in %s', (encoding, compressed) => {
  it('is read as if it had come as it is, its encoding in any letter case', async () => {
    const send = await sending();
    for (const name of [encoding, encoding.toUpperCase()])
      expect(await send(compressed('{"note":"n"}'), name)).toEqual({ status: 202, body: { note: 'n' } });
  });

  it('is as large as any other when it is decompressed: the 256 KiB of its operation pass, a byte more does not', async () => {
    expect(await (await sending())(compressed(ofBytes(262_144)), encoding)).toMatchObject({ status: 202 });
    expect(await (await sending())(compressed(ofBytes(262_145)), encoding)).toMatchObject({
      status: 413,
      body: { message: 'Request body is larger than 256 KiB.' },
    });
  });

  it('is decompressed no further than to the limit: what is broken beyond it is not seen', async () => {
    const bomb = compressed(Buffer.alloc(16 * 1_048_576));
    expect(await (await sending())(bomb, encoding)).toMatchObject({ status: 413 });
    expect(await (await sending())(bomb.subarray(0, bomb.length - 4), encoding)).toMatchObject({ status: 413 });
  });

  it('that is cut short, broken, or not in it at all is malformed', async () => {
    const whole = compressed(`{"note":"${'note '.repeat(100)}"}`);
    const broken = Buffer.from(whole).fill(0xff, 0, 8);
    for (const body of [whole.subarray(0, whole.length - 5), broken, Buffer.from('{"note":"n"}')])
      expect(await (await sending())(body, encoding)).toMatchObject({
        status: 400,
        body: { message: `Request body is not whole, or not in the encoding ${encoding}.` },
      });
  });

  it('that is not JSON when it is decompressed is malformed', async () => {
    expect(await (await sending())(compressed('{'), encoding)).toMatchObject({
      status: 400,
      body: { message: 'Request body is not valid JSON.' },
    });
  });
});

describe('a body', () => {
  it.each(['zstd', 'compress', 'gzip, br', 'nonsense'])('in the encoding %s is not supported', async (encoding) => {
    expect(await (await sending())(Buffer.from('{}'), encoding)).toMatchObject({ status: 415 });
  });

  it('said to be as it is, is', async () => {
    expect(await (await sending())(Buffer.from('{}'), 'identity')).toMatchObject({ status: 202 });
  });

  it.each([
    ['256 KiB of opening brackets', '['.repeat(262_144), 'should be at most 64 levels deep'],
    ['65 levels', `{"x":${'['.repeat(64)}${']'.repeat(64)}}`, 'should be at most 64 levels deep'],
    ['2 001 keys', `{${Array.from({ length: 2_001 }, (_, index) => `"k${index}":0`).join()}}`, 'more than 2000 items'],
    ['130 000 list items', `{"tags":[${'0,'.repeat(130_000)}0]}`, 'more than 2000 items'],
    ['11 000 values', `{"tags":[${`[${'0,'.repeat(1_100)}0],`.repeat(10)}0]}`, 'keys and list items'],
  ])('of %s is refused', async (_, json, said) => {
    const { send, inputs, defects } = await service();
    const answer = await send('post', '/v2/alerts/x/close').type('json').serialize(String).send(json).expect(422);
    expect(answer.body).toMatchObject({ errors: { body: expect.stringContaining(said) } });
    expect([inputs, defects]).toEqual([[], []]);
  });

  it('may name a prototype or a constructor, which has no effect', async () => {
    const { send, inputs } = await service();
    const json = '{"__proto__":{"note":"p","polluted":true},"constructor":{"prototype":{"polluted":true}},"note":"n"}';
    await send('post', '/v2/alerts/x/close').type('json').serialize(String).send(json).expect(202);
    expect(inputs[0]?.body).toEqual({ note: 'n' });
    expect({}).not.toHaveProperty('polluted');
    await send('post', '/v2/alerts/x/close')
      .type('json')
      .serialize(String)
      .send('{"__proto__":{"note":5}}')
      .expect(202);
    expect(inputs[1]?.body).toEqual({});
  });
});
