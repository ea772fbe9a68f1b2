import { afterAll, describe, expect, it } from '@jest/globals';
import { MailReaders } from './mail-readers.ts';

const readers = new MailReaders({ timeMs: 200_000 }, 1);
afterAll(() => {
  readers.stop();
});

describe('mails that wait for a reader', () => {
  it('are read one of each sender, then the next one of each, so that one sender holds up no other', async () => {
    const order: string[] = [];
    const read = (name: string, holder: string) =>
      readers.read(Buffer.from('Subject: x\r\n\r\nx'), holder, () => void order.push(name));
    await Promise.all([read('a1', 'a'), read('a2', 'a'), read('a3', 'a'), read('b1', 'b')]);
    expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
  });
});
