import { describe, expect, it } from '@jest/globals';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import { conversationOf } from './conversation.ts';

const conversationSubject = (subject: string): string => conversationOf(subject).subject;

describe('the subject of a conversation', () => {
  it.each([
    ['Disk full', 'Disk full'],
    ['Re: Disk full', 'Disk full'],
    ['RE: re:AW: WG : Fwd: FW:Disk full', 'Disk full'],
    ['Re[2]: Re (3): Re^4: Disk full', 'Disk full'],
    ['Re： Disk full', 'Disk full'],
    ['Re: [web-1] Disk  \t full ', '[web-1] Disk full'],
    ['[web-1] Re: [OK] Disk full', '[web-1] Disk full'],
    ['[FIRING:1] Disk full', 'Disk full'],
    ['[FIRING:1, RESOLVED:2] Disk full', 'Disk full'],
    ['[Resolved] Disk full', 'Disk full'],
    ['AW: [PROBLEM] [web-1] Disk full', '[web-1] Disk full'],
    ['[No Data] Disk full', 'Disk full'],
    ['[OK', '[OK'],
    ['[OK]', '[OK]'],
    ['[OK-1] Disk full', '[OK-1] Disk full'],
    ['[RESOLVED:a] Disk full', '[RESOLVED:a] Disk full'],
    ['回复: 答复： VS: Отв: Vá: Disk full', 'Disk full'],
    ['[Fwd: Re: Disk full]', 'Disk full'],
    ['Disk full (fwd) (fwd)', 'Disk full'],
    ['Disk\r\n full', 'Disk full'],
    ['[ops]', '[ops]'],
    ['Re: [ops]', '[ops]'],
    ['Re:', ''],
    [' ', ''],
    ['Reload: done', 'Reload: done'],
    ['Recovery of db-1', 'Recovery of db-1'],
    ['Disk full [ops]', 'Disk full [ops]'],
  ])('of %j is %j', (subject, expected) => {
    expect(conversationSubject(subject)).toBe(expected);
  });

  it.each([
    ['[ops] Re: [Ops] Disk full', 'Disk full'],
    ['[web-1] Disk full', '[web-1] Disk full'],
    ['[ops] [web-1] Disk full', '[web-1] Disk full'],
    ['[ops]', '[ops]'],
  ])('of %j that came by the list ops is %j', (subject, expected) => {
    expect(conversationOf(subject, ['Ops', 'ops.example.com']).subject).toBe(expected);
  });

  it.each([
    ['[RESOLVED] Disk full', true],
    ['Re: [ok] Disk full', true],
    ['[web-1] [RESOLVED] Disk full', true],
    ['[FIRING:1, RESOLVED:2] Disk full', false],
    ['[RESOLVED] [PROBLEM] Disk full', false],
    ['[OK]', false],
    ['Disk full, not [RESOLVED]', false],
  ])('of %j says that the trouble is over: %j', (subject, expected) => {
    expect(conversationOf(subject).recovery).toBe(expected);
  });

  it.each([
    ['[fwd:]Re:', ''],
    ['[fwd: Disk full]Re:', 'Disk full'],
    ['[web-1] [fwd: Disk full] Re:', '[web-1] Disk full'],
    ['[web-1] [disk] Re:', '[web-1] [disk]'],
    ['[fwd:] [disk] Re:', '[fwd:] [disk]'],
  ])('with labels and nothing but prefixes after them: %j is of %j', (subject, expected) => {
    expect(conversationSubject(subject)).toBe(expected);
  });

  const prefix = fc.constantFrom('Re: ', 'rE:', 'Fwd: ', 'FW : ', 'AW: ', 'wg: ', 'Re[12]: ', 'Sv:\t');
  const words = fc.stringMatching(/^[a-z]{3,8}( [a-z0-9.-]{1,8}){0,4}$/);

  it('is the same however often it was answered and forwarded, and is its own', () => {
    fc.assert(
      fc.property(words, fc.array(prefix, { maxLength: 6 }), (subject, prefixes) => {
        expect(conversationSubject(prefixes.join('') + subject)).toBe(subject);
      }),
    );
  });

  it('of anything never throws, has no white space around it, and is found again in itself', () => {
    const piece = fc.oneof(
      prefix,
      fc.constantFrom('[', ']', '(fwd)', '[fwd:', ' ', ':'),
      fc.string({ unit: anyCodePoint }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const found = conversationSubject(pieces.join(''));
        expect(found).toBe(found.trim());
        expect(conversationSubject(found)).toBe(found);
      }),
    );
  });

  it('of a subject made of prefixes alone takes no time worth naming', () => {
    expect(conversationSubject('Re: '.repeat(5_000) + 'x')).toBe('x');
    expect(conversationSubject('[OK] '.repeat(5_000) + 'x')).toBe('x');
    expect(conversationSubject('[a] '.repeat(5_000) + 'x')).toHaveLength(20_001);
    expect(conversationSubject('['.repeat(20_000))).toHaveLength(20_000);
  });
});
