// cspell:ignore APYA
import { describe, expect, it, jest } from '@jest/globals';
import { readMail } from './read-mail.ts';

const lines = (...all: readonly string[]) => all.join('\r\n');
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const read = (...pieces: readonly (string | Buffer)[]) =>
  readMail(Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? latin1(piece) : piece))));
const plain = (charset: string) => lines(`Content-Type: text/plain; charset=${charset}`, '', '');

describe('the text of a mail is found', () => {
  it.each([
    ['UTF-8 that is declared as Latin-1', plain('iso-8859-1'), Buffer.from('Größe 🔥'), 'Größe 🔥'],
    ['UTF-8 that is declared as ASCII', plain('us-ascii'), Buffer.from('Größe'), 'Größe'],
    ['Latin-1 that is declared as UTF-8', plain('utf-8'), latin1('Gr\xf6\xdfe'), 'Größe'],
    ['Latin-1 of which nothing is said', 'Subject: s\r\n\r\n', latin1('Gr\xf6\xdfe'), 'Größe'],
    ['Cyrillic in its own set', plain('windows-1251'), latin1('\xcf\xf0\xe8'), 'При'],
    ['cp850', plain('cp850'), latin1('Gr\x94\xe1e'), 'Größe'],
    ['ibm437', plain('"IBM437"'), latin1('Gr\x94\xe1e'), 'Größe'],
    ['cp858 with a euro sign', plain('cp858'), latin1('\xd5'), '€'],
    ['UTF-7', plain('utf-7'), 'Gr+APYA3w-e 1 +- 1', 'Größe 1 + 1'],
    ['Shift JIS that is named as cp932', plain('cp932'), latin1('\x93\xfa\x96\x7b'), '日本'],
    [
      'UTF-16',
      lines('Content-Transfer-Encoding: base64', plain('utf-16le')),
      Buffer.from('Größe', 'utf16le').toString('base64'),
      'Größe',
    ],
    [
      'HTML in UTF-8 that is declared as Latin-1',
      lines('Content-Type: text/html; charset=latin1', '', ''),
      Buffer.from('<p>Größe</p>'),
      'Größe',
    ],
  ])('in %s', async (_, header, body, expected) => {
    expect((await read(header, body)).text).toBe(expected);
  });

  it.each([
    ['utf-8 in base64 that is padded', '=?utf-8?B?8J+U?= =?utf-8?B?pQ==?=', '🔥'],
    ['utf-8 in base64, within a group', '=?UTF-8?B?R3LDv?=\r\n =?utf-8?B?MOfZQ==?=', 'Grüße'],
    ['utf-8 in base64, after one sign', '=?utf-8?B?w?= =?utf-8?B?7w==?=', 'ü'],
    ['quoted-printable', '=?utf-8?Q?Gr=C3?= =?utf-8?Q?=BC=C3=9Fe?=', 'Grüße'],
    ['both encodings', '=?utf-8?B?R3LD?= =?utf-8?Q?=BC=C3=9Fe?=', 'Grüße'],
    ['cp850', '=?cp850?Q?Gr=94?= =?cp850?Q?=E1e?=', 'Größe'],
    ['several sets, with a language', '=?iso-8859-1*de?Q?Gr=FC=DFe?= =?utf-8?B?8J+UpQ==?=', 'Grüße🔥'],
  ])('in a subject of words that are cut within a character: %s', async (_, written, expected) => {
    expect((await read(`Subject: ${written}\r\n\r\nx`)).subject).toBe(expected);
  });

  it('in a subject of bytes without any encoding', async () => {
    expect((await read('Subject: Gr\xf6\xdfe\r\n\r\nx')).subject).toBe('Größe');
    expect((await read('Subject: ', Buffer.from('Größe'), '\r\n\r\nx')).subject).toBe('Größe');
  });

  const parts = lines('--=_b 1', 'Content-Type: text/plain; charset=utf-8', '', 'said', '--=_b 1--', '');
  const multipart = 'Content-Type: multipart/mixed; boundary="=_b 1"';
  it.each([
    ['two types, the wrong one first', lines('Content-Type: text/plain', multipart, '', parts)],
    ['two types, the wrong one last', lines(multipart, 'Content-Type: text/html', '', parts)],
    [
      'two types with parts of which one is wrong',
      lines('Content-Type: multipart/mixed; boundary=x', multipart, '', parts),
    ],
    ['two types and a body of one part', lines(multipart, 'Content-Type: text/plain', '', 'said')],
    ['no boundary', lines('Content-Type: multipart/mixed', '', parts)],
    ['no boundary, and a text before the parts', lines('Content-Type: multipart/mixed', '', '-- ', 'before', parts)],
    ['a wrong boundary', lines('Content-Type: multipart/mixed; boundary=wrong', '', parts)],
    ['no boundary and no parts', lines('Content-Type: multipart/alternative', '', 'said')],
    ['a folded type', lines('Content-Type: multipart/mixed;', '\tboundary="=_b 1"', 'Subject: s', '', parts)],
  ])('where its header has %s', async (_, raw) => {
    expect((await read(raw)).text).toBe('said');
  });

  it('where its header says one type a thousand times, without a look through its text for each', async () => {
    const look = jest.spyOn(Buffer.prototype, 'includes');
    const types = Array.from({ length: 1_000 }, () => 'Content-Type: multipart/mixed; boundary=wrong');
    expect((await read(lines(...types, '', parts))).text).toBe('said');
    expect(look.mock.calls.length).toBeLessThan(50);
    look.mockRestore();
  });

  it('in tables, whose rows and cells stay apart', async () => {
    const html = [
      '<table><tr><th>Host</th><th>State</th></tr>',
      '<tr><td>web-1</td><td>&nbsp;</td><td>CRITICAL</td></tr><tr><td></td><td>web-2</td><td>OK<br>now</td></tr></table>',
      '<table><tr><td>alone</td></tr></table><p>end</p>',
    ];
    const { text } = await read(lines('Content-Type: text/html', '', ...html));
    expect(text.split('\n').filter((line) => line !== '')).toEqual([
      'Host | State',
      'web-1 | CRITICAL',
      'web-2 | OK',
      'now',
      'alone',
      'end',
    ]);
  });

  it('in tables within tables, however deep', async () => {
    const html = '<table><tr><td>one</td><td>'.repeat(5_000);
    expect((await read(lines('Content-Type: text/html', '', html))).text).toContain('one |');
  });

  it('after a header that was mended and is as long as it was', async () => {
    const body = `${'-- \r\n'.repeat(60_000)}said`;
    expect((await read(lines('Content-Type: multipart/mixed', '', body))).text).toMatch(/^--/);
  });

  it('and the bytes and names of its files stay what they are', async () => {
    const { attachments, text } = await read(
      lines(
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        'Content-Type: text/plain; charset=utf-8',
        'Content-Disposition: attachment; filename="=?utf-8?B?R3LD?= =?utf-8?B?vMOfZQ==?=.txt"',
        '',
        'Gr\xf6\xdfe',
        '--b--',
      ),
    );
    expect(text).toBe('');
    expect(attachments.map(({ name, bytes }) => [name, Buffer.from(bytes).toString('latin1').trim()])).toEqual([
      ['Grüße.txt', 'Gr\xf6\xdfe'],
    ]);
  });
});
