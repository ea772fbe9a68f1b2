import { describe, expect, it } from '@jest/globals';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import { attachmentEntry, mediaType, parseAttachmentId } from './attachment.ts';
import { decisionEntries } from '../alert-log/consumer.ts';
import { comparePositions } from '../alert-log/entry.ts';

const at = new Date('2026-01-05T08:00:00.000Z');

describe('the content type of a file', () => {
  it.each([
    ['image/PNG', 'image/png'],
    [' text/plain ; charset="UTF-8"; format=flowed', 'text/plain; charset=utf-8'],
    ['application/vnd.ms-excel.sheet.12+xml', 'application/vnd.ms-excel.sheet.12+xml'],
    ['', 'application/octet-stream'],
    ['png', 'application/octet-stream'],
    [`text/${'x'.repeat(200)}`, 'application/octet-stream'],
    ['text/plain and more', 'application/octet-stream'],
    ['text/html;a=b;CHARSET=latin1', 'text/html; charset=latin1'],
  ])('%j is kept as %j', (written, kept) => {
    expect(mediaType(written)).toEqual(kept);
  });

  it('is always safe in a header', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), fc.string({ unit: anyCodePoint }), (type, charset) => {
        expect(mediaType(`${type}/x;charset=${charset}`)).toMatch(/^[\x21-\x7e]+\/[\x21-\x7e]+( [\x21-\x7e]+)?$/);
      }),
    );
  });
});

describe('the id of a file', () => {
  it('is a number without anything before or after it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999_999 }), (id) => {
        expect(parseAttachmentId(String(id))).toBe(id);
        expect(parseAttachmentId(` ${String(id)}`) ?? parseAttachmentId(`0${String(id)}`)).toBeUndefined();
      }),
    );
    expect(['', '0', '-1', '1e3', '9'.repeat(16)].map(parseAttachmentId)).toEqual(Array(5).fill(undefined));
  });
});

describe('the log entry of an added or removed file', () => {
  const common = { alertId: 'a', by: 'Ada', integration: { name: 'Default API', type: 'API' }, at };
  const entry = (what: 'added' | 'removed', id: number) =>
    attachmentEntry({ ...common, what, file: { id, name: 'a' } });

  it('is the same each time, and differs for each deed', () => {
    expect(entry('added', 7)).toEqual(entry('added', 7));
    const ids = [entry('added', 7), entry('removed', 7), entry('added', 8)].map(({ entryId }) => entryId);
    expect(new Set(ids).size).toBe(3);
  });

  it('comes after every decision of its millisecond, added before removed, in the order of the files', () => {
    const decision = { decisionId: 'd', alertId: 'a', stage: 'deliver', at: at.toISOString() } as const;
    const findings = Array.from({ length: 1_000 }, () => ({ subject: 's', outcome: 'o', text: 't' }));
    const [last] = decisionEntries({ ...decision, findings }).slice(-1);
    const entries = [entry('added', 7), entry('removed', 7), entry('added', 8), entry('added', 999_999_999_999_999)];
    const positions = [last, ...entries].map((each) => each?.position ?? { ms: 0, nanos: 0 });
    expect(positions.toSorted(comparePositions)).toEqual(positions);
    expect(new Set(positions.map(({ nanos }) => nanos)).size).toBe(positions.length);
  });
});
