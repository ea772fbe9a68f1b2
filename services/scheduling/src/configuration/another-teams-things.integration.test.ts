import { beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/api';
import { teamOf, userOf } from '../testing/on-call-samples.ts';
import { created, daily, teamKey, testApp, type TestApp } from '../testing/app-fixture.ts';

/** Only things of team DBA bear these names. */
const OTHERS = ['canary-ann', 'canary-bea', 'Canary days', 'Canary turns', 'canary-swap', 'Canary steps'];
const DBA = { type: 'team', name: 'DBA' };
const year = { startDate: '2026-01-01T00:00:00Z', endDate: '2027-01-01T00:00:00Z' };
const ruleFor = (recipient: object, notifyType = 'default') => ({ delay: { timeAmount: 1 }, recipient, notifyType });

/** The entities in the parameters of a path, by the beginning of the path; the longest beginning counts. */
const MEANT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/v2/schedules': { identifier: 'Mine', scheduleIdentifier: 'Mine', alias: 'swap' },
  '/v2/schedules/on-calls': { identifier: 'eve' },
  '/v2/escalations': { identifier: 'Mine' },
  '/v2/forwarding-rules': { identifier: 'away' },
  '/v2/users': { identifier: 'eve', userIdentifier: 'eve' },
};

const RANGE = 'date=2026-01-01T00:00:00Z&interval=2&intervalUnit=days';

/** The parameters that make an answer larger; each operation takes one of them at least. */
const QUERIES = [
  `identifierType=name&scheduleIdentifierType=name&expand=base,override,forwarding&${RANGE}`,
  'identifierType=name&scheduleIdentifierType=name&expand=rotation',
  'identifierType=name&scheduleIdentifierType=name&flat=true',
  'identifierType=alias',
];

/** A link opens what its user may see, whatever the key. */
const READS = OPERATIONS.filter(
  ({ method, owner, right }) => method === 'GET' && owner === 'scheduling' && right !== 'link',
);

describe('the reads of a team key after it has named another team in all places', () => {
  let app: TestApp;
  let rotationId: string;
  let theirs: readonly string[];

  beforeAll(async () => {
    app = await testApp();
    for (const id of ['canary-ann', 'canary-bea']) app.users.put(id, userOf(id));
    const owned = { ownerTeam: { id: 'dba' } };
    app.teams.put('dba', { ...teamOf('dba', {}, { type: 'none' }), name: 'DBA' });
    const rotations = [daily([{ type: 'user', id: 'canary-ann' }], { name: 'Canary turns', type: 'hourly' })];
    const days = await created(app, '/v2/schedules', { name: 'Canary days', rotations, ...owned });
    await app.post(`/v2/schedules/${days}/overrides`, {
      alias: 'canary-swap',
      user: { type: 'user', id: 'canary-bea' },
      ...year,
    });
    const rules = [ruleFor({ type: 'schedule', id: days }), ruleFor({ type: 'user', id: 'canary-bea' })];
    const steps = await created(app, '/v2/escalations', { name: 'Canary steps', rules, ...owned });
    theirs = [days, steps];
    const members = { 'canary-ann': 'admin', 'canary-bea': 'user' };
    app.teams.put('dba', { ...teamOf('dba', members, { type: 'escalation', id: steps }), name: 'DBA' });

    const to = (type: string) => ruleFor(DBA, type);
    const escalation = { name: 'Mine', rules: [to('default'), to('all'), to('admins'), to('random')] };
    await created(app, '/v2/escalations', escalation, teamKey);
    const turns = [DBA, { type: 'escalation', name: 'Mine' }, { type: 'user', id: 'eve' }];
    const mine = { name: 'Mine', rotations: turns.map((one) => daily([one, DBA], { type: 'hourly' })) };
    const id = await created(app, '/v2/schedules', mine, teamKey);
    const swap = { alias: 'swap', user: { type: 'user', id: 'eve' }, startDate: '2027-01-01T00:00:00Z' };
    await app.post(`/v2/schedules/${id}/overrides`, { ...swap, endDate: '2027-02-01T00:00:00Z' }, teamKey);
    const away = { alias: 'away', fromUser: { id: 'bob' }, toUser: { id: 'eve' }, ...year };
    await app.post('/v2/forwarding-rules', away);
    const { data } = await app.get(`/v2/schedules/${id}`, teamKey);
    rotationId = (data as { rotations: readonly { id: string }[] }).rotations[0]?.id ?? '';
  });

  it.each(READS.map(({ id, path }) => [id, path]))(
    'of %s names nothing that only the other team has (K9)',
    async (_, path) => {
      const [, meant = {}] =
        Object.entries(MEANT)
          .filter(([start]) => path.startsWith(start))
          .toSorted(([one], [other]) => other.length - one.length)[0] ?? [];
      const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
        name === 'id' ? rotationId : (meant[name] ?? whole),
      );
      // A new operation has to say what its parameters stand for.
      expect(filled).not.toContain('{');
      const answers = await Promise.all(QUERIES.map((query) => app.get(`${filled}?${query}`, teamKey)));
      const read = answers.filter(({ status }) => status === 200);
      expect(read).not.toEqual([]);
      for (const { text } of read) for (const word of [...OTHERS, ...theirs]) expect(text).not.toContain(word);
    },
  );

  it('still says that the other team is on call, and which of its own users', async () => {
    const { data } = await app.get('/v2/schedules/Mine/on-calls?scheduleIdentifierType=name', teamKey);
    expect(data).toMatchObject({
      onCallParticipants: [
        { type: 'team', name: 'DBA', onCallParticipants: [] },
        { type: 'escalation', name: 'Mine' },
        { type: 'user', name: 'eve@example.com' },
      ],
    });
    const all = await app.get('/v2/schedules/Mine/on-calls?scheduleIdentifierType=name&flat=true');
    expect(all.text).toContain('canary-bea@example.com');
  });
});
