import { describe, expect, test } from '@jest/globals';
import { type KnownResponder, knownText, lookUpOf, respondersOf, rowsOf } from './responders.ts';

const KNOWN: readonly KnownResponder[] = [
  { type: 'team', id: 't1' },
  { type: 'user', id: 'u1', username: 'ada@example.com' },
  { type: 'all' },
];

describe('the responders of a form', () => {
  test('Those that were there are sent by their ids, and those that were typed by their names.', () => {
    const typed = ['Schedule: Nights ', 'grace@example.com', ' ', 'No user'].map((text) => ({ typed: text }));

    expect(respondersOf([...rowsOf(KNOWN), ...typed])).toEqual([
      { type: 'team', id: 't1' },
      { type: 'user', id: 'u1' },
      { type: 'all' },
      { type: 'schedule', name: 'Nights' },
      { type: 'user', username: 'grace@example.com' },
      { type: 'none' },
    ]);
  });

  test('They are shown by name, which is looked up where the answer has none.', () => {
    expect(KNOWN.map((each) => knownText(each))).toEqual(['Team: t1', 'ada@example.com', 'All users']);
    expect(KNOWN.map((each) => knownText(each, 'Database'))[0]).toBe('Team: Database');
    expect(KNOWN.map((each) => lookUpOf(each))).toEqual([{ type: 'team', id: 't1' }, undefined, undefined]);
  });
});
