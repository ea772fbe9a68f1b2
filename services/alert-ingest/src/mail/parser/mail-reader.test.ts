import { afterEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { MailReader, SlowMailError, UnreadableMailError, type MailReaderLimits } from './mail-reader.ts';
import { MailReaders } from './mail-readers.ts';

const readers: MailReader[] = [];
const reader = (limits: Partial<MailReaderLimits> = {}): MailReader => {
  const made = new MailReader(limits);
  readers.push(made);
  return made;
};
afterEach(() => {
  for (const each of readers.splice(0)) each.stop();
});

const ENCODED = ['Content-Disposition: attachment; filename=a.png', 'Content-Transfer-Encoding: base64'];
/** Each of two million fields in the header of a part costs the parser hundreds of bytes. */
const COSTLY = Buffer.from(`Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${'a\r\n'.repeat(2_000_000)}`);
const GOOD = Buffer.from('Subject: Disk full\r\n\r\nok\r\n');

describe('the reader of mails', () => {
  it('reads those that come together one after the other, each as it is', async () => {
    const mails = Array.from({ length: 20 }, (_, n) => Buffer.from(`Subject: ${String(n)}\r\n\r\nx`));
    const read = reader();
    const subjects = (await Promise.all(mails.map((raw) => read.read(raw)))).map(({ subject }) => subject);
    expect(subjects).toEqual(mails.map((_, n) => String(n)));
  });

  it('refuses a mail that is nested beyond reason, and reads the next', async () => {
    const nested = Array.from(
      { length: 400 },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
    );
    const read = reader();
    await expect(read.read(Buffer.from(nested.join('')))).rejects.toThrow(UnreadableMailError);
    expect((await read.read(GOOD)).text).toBe('ok');
  });

  it('gives up on a mail that takes too long, which may be repeated, and reads the next', async () => {
    const read = reader({ timeMs: 1_000, memoryMb: 2_000 });
    await expect(read.read(COSTLY)).rejects.toThrow(SlowMailError);
    expect((await read.read(GOOD)).subject).toBe('Disk full');
  });

  it.each([24, 64, 128])('outlives a mail that takes all of %d MB', async (memoryMb) => {
    const read = reader({ memoryMb, timeMs: 200_000 });
    await expect(read.read(COSTLY)).rejects.toThrow(UnreadableMailError);
    expect((await read.read(GOOD)).text).toBe('ok');
  });

  it('asks for another try when the process is ended from outside, and reads then', async () => {
    const read = reader();
    const refused = read.read(GOOD).catch((error: unknown) => error);
    await new Promise(setImmediate);
    read.stop();
    expect(await refused).toBeInstanceOf(UnavailableError);
    expect((await read.read(GOOD)).text).toBe('ok');
  });

  it('gives the files of a mail as they were sent', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, n) => n % 251));
    const file = ['Content-Type: multipart/mixed; boundary=b', '', '--b', 'Content-Type: image/png', ...ENCODED, ''];
    const { attachments } = await reader().read(Buffer.from([...file, bytes.toString('base64'), '--b--'].join('\r\n')));
    expect(Buffer.from(attachments[0]?.bytes ?? []).equals(bytes)).toBe(true);
  });
});

describe('several readers of mails', () => {
  it('read small mails while large ones take long', async () => {
    const read = new MailReaders({ timeMs: 200_000, memoryMb: 2_000 });
    // Both processes are up.
    await Promise.all([read.read(GOOD, 'first'), read.read(GOOD, 'second')]);
    const order: string[] = [];
    let isOver = false;
    const check = () => {
      if (isOver) throw new UnavailableError('The test is over.');
    };
    const readOf = async (sender: string, raw: Buffer) => {
      await read.read(raw, sender, check);
      order.push(sender);
    };
    const costly = Promise.allSettled([readOf('slow', COSTLY), readOf('slow', COSTLY)]);
    await Promise.all([readOf('quick', GOOD), readOf('quick', GOOD), readOf('third', GOOD)]);
    expect(order.toSorted()).toEqual(['quick', 'quick', 'third']);
    isOver = true;
    read.stop();
    await costly;
  });
});
