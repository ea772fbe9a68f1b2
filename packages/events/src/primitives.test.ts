import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  codePoints,
  flexibleBoolean,
  formatInstant,
  instant,
  oneOf,
  optional,
  optionalReference,
  text,
  timeZone,
} from './primitives.ts';

describe('text', () => {
  it('counts code points, not code units (E8)', () => {
    expect(text(2).safeParse('😀😀').success).toBe(true);
    expect(text(2).safeParse('😀😀a').success).toBe(false);
    expect(codePoints('a😀')).toBe(2);
  });
});

describe('instant', () => {
  it.each([
    ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00Z'],
    ['2026-03-01T10:00:00.000Z', '2026-03-01T10:00:00Z'],
    ['2026-03-01T10:00:00.120+02:00', '2026-03-01T08:00:00.12Z'],
    ['2026-03-01T10:00:00+0200', '2026-03-01T08:00:00Z'],
    ['2026-03-01T10:00:00 02:00', '2026-03-01T08:00:00Z'],
    ['2026-03-01T10:00:00.123456789-05:30', '2026-03-01T15:30:00.123Z'],
  ])('reads %s as %s (E6)', (written, canonical) => {
    expect(formatInstant(instant.parse(written))).toBe(canonical);
  });

  it.each(['', 'tomorrow', '2026-03-01', '2026-13-01T00:00:00Z', '2026-03-01T10:00:00', 5])('refuses %s', (written) => {
    expect(instant.safeParse(written).success).toBe(false);
  });

  it.each(['2027-02-29T00:00:00Z', '2026-02-30T23:00:00+02:00', '2026-11-31T00:00:00.5Z', '2026-01-00T00:00:00Z'])(
    'refuses %s, a day that does not exist, instead of moving it',
    (written) => {
      expect(instant.safeParse(written).success).toBe(false);
    },
  );

  it('takes the 29th of February of a leap year', () => {
    expect(formatInstant(instant.parse('2028-02-29T23:30:00-01:00'))).toBe('2028-03-01T00:30:00Z');
  });

  it('reads what it writes', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date('1970-01-01'), max: new Date('2100-01-01') }), (at) => {
        expect(instant.parse(formatInstant(at))).toEqual(at);
      }),
    );
  });
});

describe('formatInstant', () => {
  it.each([
    ['2026-03-01T10:00:00.160Z', '2026-03-01T10:00:00.16Z'],
    ['2026-03-01T10:00:00.000Z', '2026-03-01T10:00:00Z'],
    ['2026-03-01T10:00:10.001Z', '2026-03-01T10:00:10.001Z'],
    ['2026-03-01T10:10:00.000Z', '2026-03-01T10:10:00Z'],
  ])('writes %s as %s', (at, written) => {
    expect(formatInstant(new Date(at))).toBe(written);
  });
});

describe('timeZone', () => {
  it.each(['UTC', 'Europe/Rome', 'Asia/Calcutta', 'US/Pacific', 'EST', 'EST5EDT', 'europe/rome'])(
    'keeps %s as written (U2)',
    (name) => {
      expect(timeZone.parse(name)).toBe(name);
    },
  );

  it.each(['Mars/Olympus', 'IST', 'PST', 'CST', 'BST', 'JST', 'ACT', '+01:00', ''])(
    'refuses %j, with which no clock can be read',
    (name) => {
      expect(timeZone.safeParse(name).success).toBe(false);
    },
  );
});

describe('lenient reading (E5, E12)', () => {
  it('takes null for absent', () => {
    expect(optional(text(5)).parse(null)).toBeUndefined();
    expect(optionalReference().parse('')).toBeUndefined();
  });

  it('reads booleans written as words, in any case', () => {
    expect([true, 'true', 'False', false].map((value) => flexibleBoolean.parse(value))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(flexibleBoolean.safeParse('yes').success).toBe(false);
  });

  it('reads enums in any case and answers the documented spelling', () => {
    expect(oneOf(['id', 'tiny']).parse('ID')).toBe('id');
    expect(oneOf(['id', 'tiny']).safeParse('alias').error?.issues[0]?.message).toBe('should be one of [ id, tiny ]');
  });
});
