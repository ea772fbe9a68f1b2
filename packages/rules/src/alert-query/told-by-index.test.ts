import { describe, expect, it } from '@jest/globals';
import { parseQuery } from './parse.ts';
import { toldByIndex } from './told-by-index.ts';

const told = (text: string): boolean => {
  const parsed = parseQuery(text);
  if (parsed.kind === 'refused' || parsed.query === undefined) throw new TypeError(`${text} is no query`);
  return toldByIndex(parsed.query);
};

const LONG = 'l'.repeat(101);

describe('the keys of the indexes', () => {
  it.each([
    ...['status:open', 'alertId:a', 'priority:P1', 'tag:a', 'tag:a*', 'entity:a', 'owner:a', 'teams:a', 'responders:a'],
    ...['createdAt>1', 'tinyId<=7', 'disk', 'dis*', 'tag:(a OR b)', 'disk OR status:open'],
  ])('tell what %s finds', (text) => {
    expect(told(text)).toBe(true);
  });

  it.each([
    ...['status:open AND tag:a', 'disk full', '"disk full"', 'message:disk', 'NOT status:open', 'disk OR count:1'],
    ...['alias:a', 'source:a', 'count:1', 'snoozed:true', 'details.host:a', 'details.key:a', 'teams is null'],
    ...['details.host is null', 'tag:""', `tag:${LONG}`, `teams:${LONG}`, LONG],
  ])('do not tell all of what %s finds', (text) => {
    expect(told(text)).toBe(false);
  });
});
