import { describe, expect, it } from '@jest/globals';
import { parseQuery } from './parse.ts';
import { decidedByIndex } from './decided-by-index.ts';

const isDecided = (text: string): boolean => {
  const parsed = parseQuery(text);
  if (parsed.kind === 'refused' || parsed.query === undefined) throw new TypeError(`${text} is no query`);
  return decidedByIndex(parsed.query);
};

const LONG = 'l'.repeat(101);

describe('the keys of the indexes', () => {
  it.each([
    ...['status:open', 'alertId:a', 'priority:P1', 'tag:a', 'tag:a*', 'entity:a', 'owner:a', 'teams:a', 'responders:a'],
    ...['createdAt>1', 'tinyId<=7', 'disk', 'dis*', 'tag:(a OR b)', 'disk OR status:open'],
  ])('decide what %s finds', (text) => {
    expect(isDecided(text)).toBe(true);
  });

  it.each([
    ...['status:open AND tag:a', 'disk full', '"disk full"', 'message:disk', 'NOT status:open', 'disk OR count:1'],
    ...['alias:a', 'source:a', 'count:1', 'snoozed:true', 'details.host:a', 'details.key:a', 'teams is null'],
    ...['details.host is null', 'tag:""', `tag:${LONG}`, `teams:${LONG}`, LONG],
  ])('do not decide all of what %s finds', (text) => {
    expect(isDecided(text)).toBe(false);
  });
});
