import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Person, ScriptedApi } from '../testing/command-fixture.ts';

const gap = {
  kind: 'schedule-gap',
  severity: 'error',
  message: 'No user is on call in schedule [Nights].',
  remedy: 'Add a rotation.',
};
const solo = {
  kind: 'rotation-of-one',
  severity: 'warning',
  message: 'Rotation [Rot1] has one user.',
  remedy: 'Add one.',
};
const pageOf = (data: readonly object[], over: object = {}) => ({
  body: {
    computedAt: '2026-03-02T07:00:00Z',
    totalCount: data.length,
    errorCount: data.filter((each) => each === gap).length,
    counts: {},
    uncheckedSchedules: 0,
    incompleteServices: [],
    data,
    paging: {},
    ...over,
  },
});

let person: Person;
let api: ScriptedApi;

async function answering(...pages: ReturnType<typeof pageOf>[]): Promise<void> {
  api = new ScriptedApi(...pages);
  person.env = { TOCSIN_URL: await api.start(), TOCSIN_KEY: 'key' };
}

beforeEach(() => {
  person = new Person();
});
afterEach(() => {
  api.stop();
  person.leave();
});

describe('tocsin readiness', () => {
  it('says what will happen, and exits with 1 where a finding is an error', async () => {
    await answering(pageOf([gap, solo]));
    const { code, stderr, stdout } = await person.types('readiness');
    expect([code, stderr]).toEqual([1, 'tocsin: 1 error.\n']);
    expect(stdout.split('\n').slice(1)).toEqual([
      'error     schedule-gap     No user is on call in schedule [Nights].',
      'warning   rotation-of-one  Rotation [Rot1] has one user.',
      '',
    ]);
  });

  it('exits with 0 where none is an error, and says where there is none, or what was not looked through', async () => {
    await answering(pageOf([solo]));
    expect((await person.types('readiness')).code).toBe(0);
    api.stop();
    await answering(pageOf([], { uncheckedSchedules: 2, incompleteServices: ['alert-ingest'] }));
    expect(await person.types('readiness')).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'No findings\nNot looked through for gaps: 2 schedules with too many shifts\nFindings are missing of: alert-ingest\n',
    });
  });

  it('asks for a team and kinds, page by page, and prints all as JSON', async () => {
    await answering(pageOf([gap], { totalCount: 2, errorCount: 1 }), pageOf([solo], { totalCount: 2, errorCount: 1 }));
    const { code, stdout } = await person.types('readiness', '--team', 'Ops', '--kind', 'schedule-gap', '--json');
    expect(api.received.map(({ path }) => path)).toEqual([
      '/v2/readiness?team=Ops&kind=schedule-gap&limit=100&offset=0',
      '/v2/readiness?team=Ops&kind=schedule-gap&limit=100&offset=1',
    ]);
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { totalCount: 2, errorCount: 1, data: [gap, solo] }]);
  });

  it('exits with 5 for a team that is not there', async () => {
    await answering({ status: 404, body: { message: 'Team does not exist' } } as never);
    expect((await person.types('readiness', '--team', 'nothing')).code).toBe(5);
  });
});
