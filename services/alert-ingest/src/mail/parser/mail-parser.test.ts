import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parsedMail } from './mail-parser.ts';

const LINES = 1_000;

/** How many chunks the parser joined for each decoded part. It takes about 5 µs for each chunk. */
let joined: number[] = [];
const { Blob: RealBlob } = globalThis;

beforeEach(() => {
  joined = [];
  globalThis.Blob = class extends RealBlob {
    constructor(parts: ConstructorParameters<typeof RealBlob>[0] = []) {
      const chunks = [...parts];
      super(chunks);
      joined.push(chunks.length);
    }
  };
});

afterEach(() => {
  globalThis.Blob = RealBlob;
});

const mail = (...lines: readonly string[]) => Buffer.from(lines.join('\r\n'));

describe('a part of many lines', () => {
  it.each([
    ['as it is', [''], 'ab'],
    ['in base64 that is filled up on each line', ['Content-Transfer-Encoding: base64', ''], 'YWI='],
    ['quoted', ['Content-Transfer-Encoding: quoted-printable', ''], '=61b'],
    ['in a mail within the mail', ['Content-Type: message/rfc822', '', 'Subject: y', ''], 'ab'],
  ])('is joined as one chunk: %s', async (_, header, line) => {
    const { text = '' } = await parsedMail(mail('Subject: x', ...header, ...Array.from({ length: LINES }, () => line)));
    expect(text.match(/ab/g)).toHaveLength(LINES);
    expect(joined.length).toBeGreaterThan(0);
    expect(new Set(joined)).toEqual(new Set([1]));
  });
});
