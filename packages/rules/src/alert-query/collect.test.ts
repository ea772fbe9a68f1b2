import { describe, expect, it } from '@jest/globals';
import type { SearchableAlert } from './alert.ts';
import { matches } from './matches.ts';
import { parseQuery } from './parse.ts';
import { searchable } from './terms.ts';

const numbered = (count: number): string => Array.from({ length: count }, (_, n) => `n${n}`).join(' ');

const alert: SearchableAlert = {
  id: 'alert-1',
  tinyId: 1,
  alias: 'disk-db-1',
  message: 'Disk full',
  description: `${numbered(500)} n0 n499 ${numbered(3_000)}`,
  source: '10.0.0.7',
  entity: 'db',
  status: 'open',
  acknowledged: false,
  seen: false,
  snoozed: false,
  count: 1,
  priority: 'P3',
  owner: '',
  tags: ['storage'],
  actions: [],
  details: {},
  responders: [],
  integration: { name: 'Default API', type: 'API' },
  report: undefined,
  createdAt: new Date(0),
  lastOccurredAt: new Date(0),
};

const isFoundBy = (text: string, asked = alert): boolean => {
  const parsed = parseQuery(text);
  if (parsed.kind === 'refused' || parsed.query === undefined) throw new TypeError(`${text} is no query`);
  return matches(parsed.query, asked, (_, value) => [value]);
};

describe('thousands of details', () => {
  const many = { ...alert, details: Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`k${n}`, 'v'])) };
  const areFoundBy = (text: string) => isFoundBy(text, many);

  it('cost the index the first 500, by which the alert is found', () => {
    expect(searchable(many, []).terms.filter((term) => term.startsWith('d:'))).toHaveLength(500);
    expect(['details.k499:v', 'details.key:k499', 'details.value:v'].map(areFoundBy)).not.toContain(false);
    expect(['details.k500:v', 'details.key:k500'].map(areFoundBy)).not.toContain(true);
  });

  it('are all there for a search that asks for none', () => {
    expect(['details.k500 is null', 'details.key is null'].map(areFoundBy)).not.toContain(true);
  });
});

describe('a description of thousands of different words', () => {
  it('costs the index its first 500, besides those of the other texts', () => {
    expect(searchable(alert, []).terms.filter((term) => /^w:n\d+$/.test(term))).toHaveLength(500);
    expect(searchable(alert, []).terms.length).toBeLessThan(520);
  });

  it('is searched up to where the 501st begins; a word that comes again is no further one', () => {
    expect(['n499', '"n0 n499"', 'description:"n499 n0 n1"'].map((text) => isFoundBy(text))).toEqual([
      true,
      true,
      true,
    ]);
    expect(['n500', '"n499 n500"', 'description:n2999'].map((text) => isFoundBy(text))).toEqual([false, false, false]);
  });

  it('takes no word from the other texts', () => {
    expect(
      ['full', 'alias:disk-db-1', 'storage', 'source:10.0.0.7', 'db'].map((text) => isFoundBy(text)),
    ).not.toContain(false);
  });
});
