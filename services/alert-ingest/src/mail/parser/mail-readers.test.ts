import { afterAll, describe, expect, it } from '@jest/globals';
import { MailReaders } from './mail-readers.ts';

const readers = new MailReaders({ timeMs: 200_000 }, { small: 1, large: 1 });
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

  it('of one sender never have all readers', async () => {
    const two = new MailReaders({ timeMs: 200_000 }, { small: 2, large: 1 });
    const order: string[] = [];
    const read = (name: string, holder: string) =>
      two.read(Buffer.from('Subject: x\r\n\r\nx'), holder, () => void order.push(name));
    await Promise.all([read('a1', 'a'), read('a2', 'a'), read('b1', 'b')]);
    two.stop();
    expect(order).toEqual(['a1', 'b1', 'a2']);
  });

  it('are read beside large mails of however many senders, if they are small', async () => {
    const order: string[] = [];
    const large = Buffer.from(`Subject: x\r\n\r\n${'x'.repeat(300_000)}`);
    const readings = Array.from({ length: 6 }, (_, index) =>
      readers.read(large, `sender ${String(index)}`, () => void order.push('large')),
    );
    readings.push(readers.read(Buffer.from('Subject: x\r\n\r\nx'), 'another', () => void order.push('small')));
    await Promise.all(readings);
    expect(order.indexOf('small')).toBe(1);
    expect(order).toHaveLength(7);
  });
});
