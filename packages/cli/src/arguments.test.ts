import { describe, expect, it } from '@jest/globals';
import { details, duration, instant, responders, wholeNumber } from './arguments.ts';
import { alertPath, idOrName } from './identifiers.ts';

const HOUR = 3_600_000;

describe('a duration', () => {
  it.each([
    ['90m', 1.5 * HOUR],
    ['2h', 2 * HOUR],
    ['1h30m', 1.5 * HOUR],
    ['1D', 24 * HOUR],
    ['45s', 45_000],
  ])('%s', (text, ms) => {
    expect(duration(text)).toBe(ms);
  });

  it.each(['', '2', 'h', '-1h', '1.5h', '2 h', '1w', '9999999d'])('is not %j', (text) => {
    expect(() => duration(text)).toThrow('1h30m');
  });
});

describe('an instant', () => {
  it('is as its offset says, and local without one', () => {
    expect(instant('2026-03-02T18:00+02:00').toISOString()).toBe('2026-03-02T16:00:00.000Z');
    expect(instant('2026-03-02T18:00:30.5Z').toISOString()).toBe('2026-03-02T18:00:30.500Z');
    expect(instant('2026-03-02 18:00')).toEqual(new Date(2026, 2, 2, 18));
    expect(instant('2026-03-02')).toEqual(new Date(2026, 2, 2));
  });

  it.each(['', 'tomorrow', '18:00', '2026-02-30T25:00', '3/2/2026', '2026-03-02T18'])('is not %j', (text) => {
    expect(() => instant(text)).toThrow('2026-03-02T18:00');
  });

  it.each(['2026-02-30', '2026-02-30T10:00', '2026-04-31 10:00', '2025-02-29T10:00Z', '2026-00-10', '0000-01-01'])(
    'is not %s, a day that there is not',
    (text) => {
      expect(() => instant(text)).toThrow('2026-03-02T18:00');
    },
  );
});

describe('a responder', () => {
  const id = 'd2a7f0ce-9f6a-4f0a-8d8e-2f6f3c1f5a11';
  it.each([
    ['team:Ops', { type: 'team', name: 'Ops' }],
    ['USER:ada@example.com', { type: 'user', username: 'ada@example.com' }],
    [`user:${id}`, { type: 'user', id }],
    ['schedule:Ops: nights', { type: 'schedule', name: 'Ops: nights' }],
    [`escalation:${id}`, { type: 'escalation', id }],
  ])('%s', (text, responder) => {
    expect(responders(text, [{ type: 'all' }])).toEqual([{ type: 'all' }, responder]);
  });

  it.each(['Ops', 'team:', 'role:admin'])('is not %j', (text) => {
    expect(() => responders(text)).toThrow('team:NAME');
  });
});

describe('other arguments', () => {
  it('a detail has a key, and any value', () => {
    expect(details('b=c=d', { a: '1' })).toEqual({ a: '1', b: 'c=d' });
    expect(details('b=')).toEqual({ b: '' });
    for (const wrong of ['b', '=b']) expect(() => details(wrong)).toThrow('KEY=VALUE');
  });

  it('a number is whole and in its bounds', () => {
    expect(wholeNumber(1, 20)('20')).toBe(20);
    for (const wrong of ['0', '21', '1.5', 'x', '', '0x10']) expect(() => wholeNumber(1, 20)(wrong)).toThrow('1 to 20');
  });
});

describe('an identifier', () => {
  it.each([
    ['d2a7f0ce-9f6a-4f0a-8d8e-2f6f3c1f5a11', undefined, 'id'],
    ['17', undefined, 'tiny'],
    ['disk-db-1', undefined, 'alias'],
    ['17', 'alias', 'alias'],
  ] as const)('%s by %s is an alert by %s', (text, by, kind) => {
    expect(alertPath(text, by)).toEqual({ path: `/v2/alerts/${text}`, kind });
  });

  it.each(['', ' '])('is not [%s], whose path would be that of all alerts', (text) => {
    expect(() => alertPath(text)).toThrow('is empty');
  });

  it('is escaped in a path', () => {
    expect(alertPath('a/b?c d').path).toBe('/v2/alerts/a%2Fb%3Fc%20d');
  });

  it('of a schedule is a name unless it has the form of an id', () => {
    expect([idOrName('Ops'), idOrName('D2A7F0CE-9F6A-4F0A-8D8E-2F6F3C1F5A11')]).toEqual(['name', 'id']);
  });
});
