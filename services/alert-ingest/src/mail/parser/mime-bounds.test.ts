import { describe, expect, it } from '@jest/globals';
import { beyondMimeBounds } from './mime-bounds.ts';
import { readMail } from './read-mail.ts';

const multipart = (parts: number, boundary = 'b') =>
  Buffer.from(
    [
      'Subject: x',
      `Content-Type: multipart/mixed; boundary=${boundary}`,
      '',
      ...Array.from({ length: parts }, () => `--${boundary.replaceAll('"', '')}\r\n\r\nx`),
      '',
    ].join('\r\n'),
  );

describe('the bounds of what a mail is made of', () => {
  it.each(['b', '"b c"', '"=_x.1"'])('let 500 parts between %s pass, and not one more', (boundary) => {
    expect(beyondMimeBounds(multipart(500, boundary))).toBeUndefined();
    expect(beyondMimeBounds(multipart(501, boundary))).toBe('has more than 500 parts');
  });

  it.each([`boundary${' '.repeat(10)}=b`, `boundary=${'\t'.repeat(10)}"b"`, `boundary${' \r\n'.repeat(6)} = b`])(
    'count the parts of what is written as %j',
    (parameter) => {
      const mail = `Content-Type: multipart/mixed; ${parameter}\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(501)}`;
      expect(beyondMimeBounds(Buffer.from(mail))).toBe('has more than 500 parts');
    },
  );

  it('do not count lines of a text that look like the end of one', () => {
    expect(beyondMimeBounds(Buffer.from(`Subject: x\r\n\r\n${'-- \r\n--b\r\n'.repeat(10_000)}`))).toBeUndefined();
  });

  it('let a header of 256 KiB pass, and no longer one', () => {
    const header = (bytes: number) => Buffer.from(`${'X: y\r\n'.repeat(10)}Z: ${'z'.repeat(bytes - 63)}\r\n\r\ntext`);
    expect(beyondMimeBounds(header(256 * 1024))).toBeUndefined();
    expect(beyondMimeBounds(header(256 * 1024 + 1))).toBe('has a header of more than 262144 bytes');
    expect(beyondMimeBounds(Buffer.from('X: y\n'.repeat(100_000)))).toMatch(/header/);
  });

  it('let 50 boundaries pass, and not one more', () => {
    const nested = (depth: number) =>
      Buffer.from(
        Array.from({ length: depth }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n`).join(''),
      );
    expect(beyondMimeBounds(nested(50))).toBeUndefined();
    expect(beyondMimeBounds(nested(51))).toBe('has more than 50 boundaries');
  });

  it('are looked at before a mail is read', async () => {
    await expect(readMail(multipart(501))).rejects.toThrow('has more than 500 parts');
  });
});
