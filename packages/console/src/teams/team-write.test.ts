import { describe, expect, test } from '@jest/globals';
import type { CallRequest } from '../api/call.ts';
import type { Member, Team } from './queries.ts';
import { changedDetails, type TeamWrite, writeTeam } from './team-write.ts';

const member = (name: string, role: Member['role'] = 'user'): Member => ({
  user: { id: `id-${name}`, username: `${name}@example.com` },
  role,
});
const team = (change: Partial<Team> = {}): Team => ({
  id: 'sre',
  name: 'SRE',
  description: '',
  members: [member('ada', 'admin'), member('grace')],
  ...change,
});

/** Writes to a server that has `now`, and gives what changed and the writes that it received. */
async function written(write: TeamWrite, now: Team, seen = team()) {
  const sent: CallRequest[] = [];
  const call = <T>(request: CallRequest): Promise<T> => {
    if (request.method !== undefined) sent.push(request);
    return Promise.resolve({ data: now } as T);
  };
  const { changes } = await writeTeam(write, seen, call);
  return { changes, sent };
}

describe('a change of a team', () => {
  test('Only the texts that its person changed are written, so that those of another person stay.', async () => {
    const change = changedDetails(team(), { name: 'SRE', description: ' Disks ' });

    expect(await written({ kind: 'details', change }, team({ name: 'Reliability' }))).toEqual({
      changes: [],
      sent: [{ method: 'PATCH', path: '/v2/teams/sre', body: { description: 'Disks' } }],
    });
  });

  test('A text that another person changed meanwhile is not overwritten.', async () => {
    const write = { kind: 'details', change: { name: 'Operations' } } as const;

    expect(await written(write, team({ name: 'Reliability' }))).toEqual({
      changes: ['Another person changed the name to “Reliability”.'],
      sent: [],
    });
  });

  test('After its person saw the change, it is.', async () => {
    const now = team({ name: 'Reliability' });
    const { sent } = await written({ kind: 'details', change: { name: 'Operations' } }, now, now);

    expect(sent).toEqual([{ method: 'PATCH', path: '/v2/teams/sre', body: { name: 'Operations' } }]);
  });

  test('A member is added, gets another role and is removed.', async () => {
    const username = 'grace@example.com';
    const add = { kind: 'member', username: 'mary@example.com', role: 'user' } as const;
    const path = '/v2/teams/sre/members';

    expect((await written(add, team())).sent).toEqual([
      { method: 'POST', path, body: { user: { username: 'mary@example.com' }, role: 'user' } },
    ]);
    expect((await written({ kind: 'member', username, role: 'admin' }, team())).sent).toEqual([
      { method: 'POST', path, body: { user: { username }, role: 'admin' } },
    ]);
    expect((await written({ kind: 'remove', username }, team())).sent).toEqual([
      { method: 'DELETE', path: `${path}/grace%40example.com` },
    ]);
  });

  test('A member whom another person removed does not come back by a change of their role.', async () => {
    const write = { kind: 'member', username: 'grace@example.com', role: 'admin' } as const;

    expect(await written(write, team({ members: [member('ada', 'admin')] }))).toEqual({
      changes: ['Another person removed grace@example.com from the team.'],
      sent: [],
    });
  });

  test('A member whom another person added with another role keeps it.', async () => {
    const write = { kind: 'member', username: 'Mary@example.com', role: 'user' } as const;

    expect(await written(write, team({ members: [member('mary', 'admin')] }))).toEqual({
      changes: ['Another person made Mary@example.com a member with the role admin.'],
      sent: [],
    });
  });

  test('A write that is done already is not sent again.', async () => {
    const done: readonly TeamWrite[] = [
      { kind: 'details', change: { name: 'SRE' } },
      { kind: 'member', username: 'ada@example.com', role: 'admin' },
      { kind: 'remove', username: 'mary@example.com' },
    ];
    for (const write of done) expect(await written(write, team())).toEqual({ changes: [], sent: [] });
  });

  test('A team that another person changed is not deleted.', async () => {
    expect((await written({ kind: 'delete' }, team())).sent).toEqual([{ method: 'DELETE', path: '/v2/teams/sre' }]);
    expect(await written({ kind: 'delete' }, team({ members: [member('ada', 'admin')] }))).toEqual({
      changes: ['Another person changed the team: it is SRE with 1 members now.'],
      sent: [],
    });
  });
});
