import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import type { Person, Team } from './queries.ts';
import { invite, makeTeam, type Server } from './writes.ts';

type Request = Parameters<Server['call']>[0];

const me = { id: 'u1', username: 'ada@example.com', timeZone: 'Europe/Berlin' } as Person;
const team = { id: 't1', name: 'Payments' } as Team;
const rotation = { id: 'r1', participants: [{ type: 'user', id: 'u1', username: 'ada@example.com' }] };
const schedule = { id: 's1', ownerTeam: { id: 't1' }, rotations: [] as readonly object[] };
const now = new Date(2026, 10, 25, 12);

/** A server that answers by method and path, and notes the writes. An error is thrown, a list is answered one by one. */
function serverOf(answers: Readonly<Record<string, unknown>>) {
  const writes: Request[] = [];
  let waits = 0;
  const call = <T>(request: Request): Promise<T> => {
    const { method = 'GET', path } = request;
    if (method !== 'GET') writes.push(request);
    const found = answers[`${method} ${path}`];
    const answer: unknown = Array.isArray(found) ? (found.length > 1 ? found.shift() : found[0]) : found;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ data: answer } as T);
  };
  const wait = () => {
    waits += 1;
    return Promise.resolve();
  };
  return { server: { call, wait }, writes, waits: () => waits };
}

const lines = (writes: readonly Request[]) => writes.map(({ method, path }) => `${method} ${path}`);

describe('making a team', () => {
  test('It waits for the schedule that the server makes, and puts the person on call in their zone.', async () => {
    const { server, waits, writes } = serverOf({
      'POST /v2/teams': { id: 't1' },
      'GET /v2/schedules': [[], [{ ...schedule, ownerTeam: { id: 'other' } }], [schedule]],
    });
    await makeTeam({ me, team: undefined }, 'Payments', now, server);

    expect(waits()).toBe(2);
    expect(writes).toMatchObject([
      { path: '/v2/teams', body: { name: 'Payments', members: [{ user: { id: 'u1' }, role: 'admin' }] } },
      {
        method: 'PATCH',
        path: '/v2/schedules/s1',
        body: {
          timezone: 'Europe/Berlin',
          rotations: [{ type: 'weekly', participants: [{ type: 'user', id: 'u1' }] }],
        },
      },
    ]);
  });

  test('A repeated step uses the team that an earlier try made.', async () => {
    const { server, writes } = serverOf({ 'GET /v2/schedules': [[schedule]] });
    await makeTeam({ me, team }, 'Payments', now, server);

    expect(lines(writes)).toEqual(['PATCH /v2/schedules/s1']);
  });

  test('A schedule that has a rotation stays as it is.', async () => {
    const { server, writes } = serverOf({ 'GET /v2/schedules': [[{ ...schedule, rotations: [rotation] }]] });
    await makeTeam({ me, team }, 'Payments', now, server);

    expect(writes).toEqual([]);
  });

  test('A schedule that does not come is said, and can be tried again.', async () => {
    const { server } = serverOf({ 'GET /v2/schedules': [[]] });

    await expect(makeTeam({ me, team }, 'Payments', now, server)).rejects.toMatchObject({ failure: 'unavailable' });
  });
});

describe('inviting a person', () => {
  const invited = { username: 'Grace@example.com', fullName: 'Grace Hopper' };
  const schedules = { 'GET /v2/schedules': [[{ ...schedule, rotations: [rotation] }]] };
  const all = ['POST /v2/users', 'POST /v2/teams/t1/members', 'PATCH /v2/schedules/s1/rotations/r1'];

  test('They become a user, a member, and take turns after those whom the schedule has by then.', async () => {
    const { server, writes } = serverOf(schedules);
    await invite(team, invited, server);

    expect(lines(writes)).toEqual(all);
    const participants = [...rotation.participants, { type: 'user', username: invited.username }];
    expect(writes[2]?.body).toEqual({ participants });
  });

  test('A user of the account is added as well.', async () => {
    const taken = new CallError({ status: 409, message: 'is taken' });
    const { server, writes } = serverOf({ ...schedules, 'POST /v2/users': taken });
    await invite(team, invited, server);

    expect(lines(writes)).toEqual(all);
  });

  test('A refused user is no member.', async () => {
    const refused = new CallError({ status: 422, message: 'invalid' });
    const { server, writes } = serverOf({ ...schedules, 'POST /v2/users': refused });

    await expect(invite(team, invited, server)).rejects.toMatchObject({ failure: 'invalid' });
    expect(lines(writes)).toEqual(['POST /v2/users']);
  });

  test('Who takes turns already does not take more of them.', async () => {
    const { server, writes } = serverOf(schedules);
    await invite(team, { username: 'ADA@example.com', fullName: 'Ada' }, server);

    expect(lines(writes)).toEqual(['POST /v2/users', 'POST /v2/teams/t1/members']);
  });

  test('Where no user takes turns, that is said.', async () => {
    const { server } = serverOf({ 'GET /v2/schedules': [[schedule]] });

    await expect(invite(team, invited, server)).rejects.toThrow('No user takes turns yet');
  });
});
