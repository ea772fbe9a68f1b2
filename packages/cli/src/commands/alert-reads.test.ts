import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Person, ScriptedApi } from '../testing/command-fixture.ts';

let person: Person;
let api: ScriptedApi;

beforeEach(async () => {
  person = new Person();
  const page = (size: number) => ({ body: { data: Array.from({ length: size }, (_, at) => ({ id: String(at) })) } });
  api = new ScriptedApi(page(100), page(100), page(30));
  person.env = { TOCSIN_URL: await api.start(), TOCSIN_KEY: 'key' };
});
afterEach(() => {
  api.stop();
  person.leave();
});

const queries = () => api.received.map(({ path }) => Object.fromEntries(new URL(path, 'http://x').searchParams));

describe('tocsin alert list', () => {
  it('pages until it has as many as were asked for, or until there are no more', async () => {
    const { stdout } = await person.types('alert', 'list', 'tag:db', '-n', '250', '--sort', 'count', '--json');
    expect(JSON.parse(stdout)).toHaveLength(230);
    const common = { query: 'tag:db', sort: 'count' };
    expect(queries()).toEqual([
      { ...common, offset: '0', limit: '100' },
      { ...common, offset: '100', limit: '100' },
      { ...common, offset: '200', limit: '50' },
    ]);
  });

  it.each([
    [[], { query: 'status:open', offset: '0', limit: '20' }],
    [['--all'], { offset: '0', limit: '20' }],
    [['--all', 'tag:db'], { query: 'tag:db', offset: '0', limit: '20' }],
  ])('with %j asks for %j', async (options, query) => {
    await person.types('alert', 'list', ...options, '--json');
    expect(queries()[0]).toEqual(query);
  });

  it.each(['-n 0', '-n 19901', '--order up', 'a b', '--wrong'])(
    'with %s ends with 2 and asks nothing',
    async (options) => {
      const { code, stderr } = await person.types('alert', 'list', ...options.split(' '));
      expect([code, stderr]).toEqual([2, expect.stringContaining('`--help` says how to use it.')]);
      expect(api.received).toEqual([]);
    },
  );
});
