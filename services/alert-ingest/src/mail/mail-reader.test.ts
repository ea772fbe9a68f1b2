import { afterEach, describe, expect, it } from '@jest/globals';
import { MailReader, UnreadableMailError, type MailReaderLimits } from './mail-reader.ts';

const readers: MailReader[] = [];
const reader = (limits: Partial<MailReaderLimits> = {}): MailReader => {
  const made = new MailReader(limits);
  readers.push(made);
  return made;
};
afterEach(() => Promise.all(readers.splice(0).map((each) => each.stop())));

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

  it('gives up on a mail that takes too long, and reads the next', async () => {
    const read = reader({ timeMs: 2_000 });
    const dear = Buffer.concat([Buffer.from('\r\n'), Buffer.alloc(10_000_000, '\n')]);
    await expect(read.read(dear)).rejects.toThrow(UnreadableMailError);
    expect((await read.read(GOOD)).subject).toBe('Disk full');
  });

  it('outlives a mail that takes all memory', async () => {
    const read = reader({ memoryMb: 24 });
    const dear = Buffer.concat([Buffer.from('\r\n'), Buffer.alloc(10_000_000, '\n')]);
    await expect(read.read(dear)).rejects.toThrow(UnreadableMailError);
    expect((await read.read(GOOD)).text).toBe('ok');
  });

  it('reads again after it was stopped, and does not keep whoever waits at the stop', async () => {
    const read = reader();
    const reading = read.read(GOOD).catch((error: unknown) => error);
    await read.stop();
    expect(await reading).toBeDefined();
    expect((await read.read(GOOD)).text).toBe('ok');
  });
});
