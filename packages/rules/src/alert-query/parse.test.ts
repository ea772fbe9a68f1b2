// cspell:ignore sourc statuss
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { codePoints } from '@tocsin/events';
import { parseQuery } from './parse.ts';
import { printQuery } from './print.ts';
import { MAX_DEPTH, MAX_LENGTH } from './query.ts';
import { anyQuery } from '../testing/query-samples.ts';

const printed = (text: string) => {
  const parsed = parseQuery(text);
  return parsed.kind === 'query' ? parsed.query && printQuery(parsed.query) : `${parsed.position}: ${parsed.reason}`;
};

describe('a query', () => {
  it('is the same when it is printed and read again', () => {
    fc.assert(
      fc.property(anyQuery, (query) => {
        const text = printQuery(query);
        fc.pre(text.length <= MAX_LENGTH);
        expect(parseQuery(text)).toEqual({ kind: 'query', query });
      }),
      { numRuns: 500 },
    );
  });

  it('is read or refused at a position inside it, whatever it says', () => {
    const pieces = fc.constantFrom(
      '(',
      ')',
      ':',
      '"',
      '*',
      ' ',
      'AND',
      'NOT',
      'status',
      'open',
      'is null',
      '<',
      '\\',
      '😀',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        const parsed = parseQuery(parts.join(''));
        if (parsed.kind === 'query') return;
        expect(parsed.position).toBeGreaterThanOrEqual(1);
        expect(parsed.position).toBeLessThanOrEqual(codePoints(parts.join('')) + 1);
      }),
    );
  });

  it.each([
    ['', undefined],
    ['  ', undefined],
    ['status:open', 'status:"open"'],
    ['status: OPEN AND acknowledged: False', 'status:"open" AND acknowledged:false'],
    ['status=open count>3', 'status:"open" AND count>3'],
    ['tag:"db" AND priority:(p1 OR P2)', 'tag:"db" AND (priority:"P1" OR priority:"P2")'],
    ['TAGS:(a AND NOT b c)', 'tag:"a" AND NOT tag:"b" AND tag:"c"'],
    ['createdAt >= 1700000000000 AND createdAt <= 2', 'createdAt>=1700000000000 AND createdAt<=2'],
    ['createdAt:31-01-2026', 'createdAt>=1769817600000 AND createdAt<1769904000000'],
    ['createdAt > "31-01-2026 08:30"', 'createdAt>=1769848260000'],
    ['createdAt<=31-01-2026T08:30:05', 'createdAt<1769848206000'],
    ['createdAt<31-01-2026', 'createdAt<1769817600000'],
    ['a OR b c', '"a" OR ("b" AND "c")'],
    ['NOT (a OR b)', 'NOT ("a" OR "b")'],
    ['db-1 "Disk full"', '"db 1" AND "disk full"'],
    ['mess* message:Dis*', '"mess"* AND message:"dis"*'],
    ['owner:null', 'owner:null'],
    ['owner:"null"', 'owner:"null"'],
    ['teams is null', 'teams:null'],
    ['details.key IS NOT NULL', 'NOT details.key:null'],
    ['tag !: null', 'NOT tag:null'],
    ['owner != ada@example.com', 'NOT owner:"ada@example.com"'],
    ['owner !: (a OR b)', 'NOT (owner:"a" OR owner:"b")'],
    ['recipients:ada', 'responders:"ada"'],
    ['details.host:db-1', 'details."host":"db-1"'],
    ['details."a key":null', 'details."a key":null'],
    ['alias:heartbeat:db', 'alias:"heartbeat:db"'],
    ['source is broken', '"source" AND "is" AND "broken"'],
    ['"a \\"b"', '"a b"'],
    ['order and notice', '"order" AND "notice"'],
    ['order "and" notice', '"order" AND "and" AND "notice"'],
    ['status:open and priority:(P1 or p2)', 'status:"open" AND (priority:"P1" OR priority:"P2")'],
    ['a or b and c', '"a" OR ("b" AND "c")'],
    ['status:open and not tag:db', 'status:"open" AND NOT tag:"db"'],
    ['not (a or b)', 'NOT ("a" OR "b")'],
    ['priority in (P1, p2)', 'priority:"P1" OR priority:"P2"'],
    ['status:open AND tag IN ("a,b",c,d) x', 'status:"open" AND (tag:"a,b" OR tag:"c" OR tag:"d") AND "x"'],
    ['owner not in ( ada@example.com )', 'NOT owner:"ada@example.com"'],
    ['count in (1 OR 2)', 'count=1 OR count=2'],
    ['source in use', '"source" AND "in" AND "use"'],
  ])('reads %s', (text, meaning) => {
    expect(printed(text)).toBe(meaning);
  });

  it.each([
    ['sourc:red', '1: unknown field [sourc]; did you mean [source]? Put text with a sign in it into quotes'],
    [
      'status:open AND statuss:x',
      '17: unknown field [statuss]; did you mean [status]? Put text with a sign in it into quotes',
    ],
    ['status:ajar', '8: [status] should be open or closed'],
    ['priority:P6', '10: [priority] should be one of P1, P2, P3, P4, P5'],
    ['snoozed:perhaps', '9: [snoozed] should be true or false'],
    ['count:many', '7: [count] should be a whole number'],
    ['createdAt:31-02-2026', '11: [createdAt] should be milliseconds since 1970 or a date such as 31-01-2026'],
    ['status>open', '7: [status] can not be compared by [>]; expected [:]'],
    ['teams:Op*', '7: [teams] is compared with whole values; expected no [*]'],
    ['owner:ad*', '7: [owner] is compared with whole values; expected no [*]'],
    ['message:null', '9: [message] can not be asked for null'],
    ['snoozedUntil is null', '1: [snoozedUntil] can not be asked for null'],
    ['d*sk', '2: [*] can stand only at the end of a word; put it into quotes to search for it'],
    ['*', '1: expected a word before [*]'],
    ['---', '1: expected a letter or a digit to search for'],
    ['"open', '1: the quotes that begin here should end'],
    ['(a', '3: expected [)], found the end'],
    ['disk not found', '6: write [NOT] to exclude what follows, or put [not] into quotes to search for it'],
    ['tag:(a not b)', '8: write [NOT] to exclude what follows, or put [not] into quotes to search for it'],
    ['priority in ()', '14: expected a value, found [)]'],
    ['priority in (P1', '16: expected [)], found the end'],
    ['or a', '1: expected a term, found [or]'],
    ['a)', '2: expected a term, found [)]'],
    ['a AND', '6: expected a term, found the end'],
    ['OR a', '1: expected a term, found [OR]'],
    ['status:', '8: expected a value, found the end'],
    ['status:(open OR )', '17: expected a value, found [)]'],
    ['😀:x', '1: unknown field [😀]; did you mean [tag]? Put text with a sign in it into quotes'],
  ])('refuses %s, naming the place', (text, reason) => {
    expect(printed(text)).toBe(reason);
  });

  it('is refused when it is longer than 1000 characters', () => {
    expect(parseQuery('😀'.repeat(MAX_LENGTH - 1) + 'a').kind).toBe('query');
    expect(printed('a'.repeat(MAX_LENGTH + 1))).toBe('1001: expected at most 1000 characters');
  });

  it('is refused when its terms lie deeper than 50', () => {
    const deep = (levels: number) => '('.repeat(levels) + 'a' + ')'.repeat(levels);
    expect(parseQuery(deep(MAX_DEPTH)).kind).toBe('query');
    expect(printed(deep(MAX_DEPTH + 1))).toBe('51: terms can lie at most 50 deep in one another');
    expect(parseQuery(`${'NOT '.repeat(MAX_DEPTH - 1)}a`).kind).toBe('query');
    expect(printed(`${'NOT '.repeat(MAX_DEPTH)}a`)).toBe('1: terms can lie at most 50 deep in one another');
    expect(parseQuery(`${'(a OR b '.repeat(40)}c${')'.repeat(40)}`).kind).toBe('refused');
  });
});
