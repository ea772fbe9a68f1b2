import { describe, expect, it } from '@jest/globals';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import { readMail } from './read-mail.ts';

const read = (...lines: readonly string[]) => readMail(Buffer.from(lines.join('\r\n'), 'latin1'));
const part = (headers: readonly string[], ...body: readonly string[]) => ['--b', ...headers, '', ...body];
const mixed = (...parts: readonly (readonly string[])[]) =>
  read('Subject: s', 'Content-Type: multipart/mixed; boundary=b', '', ...parts.flat(), '--b--', '');

describe('a mail that is read', () => {
  it('says who wrote what, what it answers, and by which list it came', async () => {
    const mail = await read(
      'From: "Ada L." <Ada@Example.com>',
      'Subject: Disk',
      '\tfull',
      'Message-ID: <1@example.com>',
      'In-Reply-To: <0@example.com>',
      'References: <a@example.com>',
      '\t<0@example.com>',
      'List-Id: "Our Ops" <ops.example.com>',
      'Date: Thu, 1 Jan 2026 00:00:00 +0000',
      '',
      'on db-1',
      'since noon',
      '',
    );
    expect(mail).toEqual({
      hasMessageId: true,
      answers: '<0@example.com> <a@example.com> <0@example.com>',
      listNames: ['Our Ops', 'ops.example.com', 'ops'],
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      from: { address: 'ada@example.com', name: 'Ada L.' },
      subject: 'Disk full',
      text: 'on db-1\nsince noon',
      origin: 'sender',
      attachments: [],
      attachmentsLeftOut: 0,
    });
  });

  it('is known by its id, date, sender, subject, text and files, whatever way it came', async () => {
    const id = 'Message-ID: <1@example.com>';
    const date = 'Date: Thu, 1 Jan 2026 00:00:00 +0000';
    const from = 'From: ada@example.com';
    const lines = [id, date, from, 'Subject: Disk full', '', 'on db-1'];
    const { digest } = await read(...lines);
    expect((await read('Received: by another way', ...lines)).digest).toBe(digest);
    const others = await Promise.all([
      read(id.replace('1', '2'), date, from, 'Subject: Disk full', '', 'on db-1'),
      read(id, date.replace('1', '2'), from, 'Subject: Disk full', '', 'on db-1'),
      read(id, date, 'From: root@web-1.example.com', 'Subject: Disk full', '', 'on db-1'),
      read(id, date, from, 'Subject: Disk fuller', '', 'on db-1'),
      read(id, date, from, 'Subject: Disk full', '', 'on db-2'),
    ]);
    expect(new Set([digest, ...others.map((other) => other.digest)]).size).toBe(6);
    const file = (said: string) =>
      mixed(
        part([], 'see'),
        part(['Content-Type: image/png', 'Content-Disposition: attachment; filename=a.png'], said),
      );
    expect((await file('one')).digest).not.toBe((await file('two')).digest);
  });

  it('without anything is empty, and is known by what came', async () => {
    const [empty, other] = [await read(''), await read('', 'x')];
    const nothing = {
      hasMessageId: false,
      answers: '',
      listNames: [],
      subject: '',
      text: '',
      from: { address: '', name: '' },
      attachments: [],
    };
    expect(empty).toMatchObject(nothing);
    expect(empty.digest).not.toBe(other.digest);
  });

  it('is decoded from its character sets, in the header and in the text', async () => {
    const mail = await read(
      'Subject: =?iso-8859-1?Q?Gr=FC=DFe?= =?utf-8?B?8J+UpQ==?=',
      'From: =?utf-8?Q?J=C3=BCr?= <j@example.com>',
      'Content-Type: text/plain; charset=iso-8859-15',
      'Content-Transfer-Encoding: 8bit',
      '',
      'B\xfcro \xa4',
    );
    expect(mail).toMatchObject({ subject: 'Grüße🔥', text: 'Büro €', from: { name: 'Jür' } });
  });

  it('in HTML alone is what a reader sees of it', async () => {
    const mail = await read(
      'Content-Type: text/html; charset=utf-8',
      '',
      '<html><head><title>t</title><style>p { color: red }</style></head><body><h1>Disk full</h1>',
      '<p>on <b>db-1</b> &amp; db-2<br>see <a href="https://example.com/1">the graph</a></p>',
      '<script>alert(1)</script><img src="cid:x" alt="pixel"><ul><li>one</li><li>two</li></ul></body></html>',
    );
    expect(mail.text).toBe(
      ['Disk full', '', 'on db-1 & db-2', 'see the graph [https://example.com/1]', '', ' * one', ' * two'].join('\n'),
    );
  });

  it('in both kinds is its plain text, unless that is blank', async () => {
    const html = part(['Content-Type: text/html'], '<p>shown</p>');
    const both = (plain: string) =>
      read('Content-Type: multipart/alternative; boundary=b', '', ...part([], plain), ...html, '--b--', '');
    expect((await both('said')).text).toBe('said');
    expect((await both('  ')).text).toBe('shown');
  });

  it('has its files under their names, inline images among them', async () => {
    const { attachments, text } = await mixed(
      part(['Content-Type: text/plain'], 'see'),
      part(
        ['Content-Type: application/pdf', "Content-Disposition: attachment; filename*=utf-8''gr%C3%BC%C3%9Fe.pdf"],
        'pdf',
      ),
      part(
        [
          'Content-Type: image/png',
          'Content-ID: <x>',
          'Content-Transfer-Encoding: base64',
          'Content-Disposition: inline',
        ],
        'aGVsbG8=',
      ),
      part(['Content-Type: nonsense', 'Content-Disposition: attachment; filename="a\u0007\tb"'], 'x'),
    );
    expect(text).toBe('see');
    expect(attachments.map(({ bytes, ...rest }) => ({ ...rest, said: Buffer.from(bytes).toString().trim() }))).toEqual([
      { name: 'grüße.pdf', type: 'application/pdf', said: 'pdf' },
      { name: '', type: 'image/png', said: 'hello' },
      { name: 'a b', type: 'application/octet-stream', said: 'x' },
    ]);
  });

  it('has at most 50 files, and says how many more there were', async () => {
    const file = part(['Content-Type: image/png', 'Content-Disposition: attachment; filename=a.png'], 'x');
    const mail = await mixed(...Array.from({ length: 53 }, () => file));
    expect([mail.attachments.length, mail.attachmentsLeftOut]).toEqual([50, 3]);
  });

  it('is known as an automatic reply by its header (RFC 3834)', async () => {
    expect((await read('Auto-Submitted: auto-replied', '', 'away')).origin).toBe('reply');
  });

  it('of any bytes is bounded text without control characters, or none', async () => {
    const line = fc.oneof(
      fc.constantFrom('Content-Type: multipart/mixed; boundary=b', '--b', '--b--', '', 'Content-Type: message/rfc822'),
      fc.constantFrom(
        'Content-Transfer-Encoding: base64',
        'Content-Type: text/html; charset=utf-16',
        'Subject: =?x?B?',
      ),
      fc.string({ unit: anyCodePoint, maxLength: 60 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 30 }), fc.uint8Array({ maxLength: 200 }), async (lines, bytes) => {
        const { subject, text, attachments } = await readMail(Buffer.concat([Buffer.from(lines.join('\r\n')), bytes]));
        // eslint-disable-next-line no-control-regex -- These must not be there.
        expect(subject + attachments.map(({ name }) => name).join('')).not.toMatch(/[\u0000-\u001f\u007f]/);
        expect(text.length).toBeLessThanOrEqual(100_000);
        expect(text.isWellFormed()).toBe(true);
      }),
    );
  });
});
