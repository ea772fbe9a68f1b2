import { describe, expect, it } from '@jest/globals';
import { emptyStores } from '../testing/mongo-fixture.ts';
import { sampleActivation, sampleDraft } from '../testing/stored-samples.ts';
import type { TeamLogLine, TeamLogPage } from './log-store.ts';

async function withOps() {
  const { teams } = await emptyStores();
  await teams.begin(sampleDraft('Ops', { createdBy: 'first key' }));
  await teams.activate('team-Ops', 'first', sampleActivation('Ops'));
  const record = (...lines: readonly string[]) =>
    teams.change({ id: 'team-Ops' }, (team) => ({
      team: { ...team, description: lines.join() },
      log: lines.map((log, n) => ({ owner: `key ${n}`, at: new Date(n), log })),
      answer: undefined,
    }));
  const lines = async (page: Partial<TeamLogPage> = {}) =>
    teams.history('team-Ops', { order: 'asc', limit: 100, after: undefined, ...page });
  const logs = async (page?: Partial<TeamLogPage>) => (await lines(page)).map(({ log }) => log);
  return { teams, record, lines, logs };
}

describe('the history of a team', () => {
  it('begins a history when the team is complete, once, in the name of the last caller', async () => {
    const { teams } = await emptyStores();
    await teams.begin(sampleDraft('Ops', { createdBy: 'first key' }));
    await teams.begin(sampleDraft('Ops', { createdBy: 'second key', attempt: 'second' }));
    const history = () => teams.history('team-Ops', { order: 'asc', limit: 10, after: undefined });
    expect(await history()).toEqual([]);
    for (let times = 0; times < 2; times += 1) await teams.activate('team-Ops', 'second', sampleActivation('Ops'));
    const at = sampleDraft('any').createdAt;
    expect(await history()).toEqual([{ owner: 'second key', at, log: 'Team [Ops] is created.', n: 1, line: 0 }]);
  });

  it('keeps the lines of a change with the change, in their order', async () => {
    const { record, lines } = await withOps();
    await record('a', 'b');
    expect((await lines()).slice(1)).toEqual([
      { owner: 'key 0', at: new Date(0), log: 'a', n: 2, line: 0 },
      { owner: 'key 1', at: new Date(1), log: 'b', n: 2, line: 1 },
    ]);
  });

  it('has no line of a change that is refused or has no effect', async () => {
    const { teams, lines } = await withOps();
    const log = [{ owner: 'key', at: new Date(0), log: 'never' }];
    const members = [{ userId: 'unknown', role: 'user' as const }];
    await teams.change({ id: 'team-Ops' }, (team) => ({ team: { ...team, members }, log, answer: undefined }));
    await teams.change({ id: 'team-Ops' }, (team) => ({ team, log, answer: undefined }));
    expect(await lines()).toHaveLength(1);
  });

  it.each(['asc', 'desc'] as const)('visits each line once from cursor to cursor, %s', async (order) => {
    const { record, lines, logs } = await withOps();
    await record('a', 'b', 'c');
    await record('d');
    for (const limit of [1, 2, 3]) {
      const seen: string[] = [];
      let page: readonly TeamLogLine[] = await lines({ order, limit });
      while (page.length > 0) {
        seen.push(...page.map(({ log }) => log));
        page = await lines({ order, limit, after: page.at(-1) });
      }
      expect(seen).toEqual(await logs({ order }));
      expect(seen).toHaveLength(5);
    }
  });

  it('is empty beyond either end', async () => {
    const { logs } = await withOps();
    expect(await logs({ after: { n: 99, line: 0 } })).toEqual([]);
    expect(await logs({ order: 'desc', after: { n: 0, line: 0 } })).toEqual([]);
    expect(await logs({ order: 'desc', after: { n: 99, line: 0 } })).toHaveLength(1);
  });

  it('forgets the history with the team, not before', async () => {
    const { teams, logs } = await withOps();
    await teams.endRemoval('team-Ops');
    expect(await logs()).toHaveLength(1);
    await teams.beginRemoval('team-Ops', 'first');
    await teams.endRemoval('team-Ops');
    expect(await logs()).toEqual([]);
  });

  it('keeps the roles of a team', async () => {
    const { teams } = await withOps();
    const roles = [{ id: 'night', name: 'Night', rights: [{ right: 'edit-schedules', granted: true }] }];
    await teams.change({ name: 'Ops' }, (team) => ({ team: { ...team, roles }, log: [], answer: undefined }));
    expect((await teams.find({ name: 'Ops' }))?.roles).toEqual(roles);
  });
});
