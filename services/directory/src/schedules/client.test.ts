import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import type { InternalClient, InternalReply } from '@tocsin/http';
import { TeamPartsClient } from '../teams/client.ts';
import { SchedulingClient } from './client.ts';

function clientThatAnswers(reply: InternalReply) {
  const asked: unknown[][] = [];
  const answer = (method: string) => (path: string, body?: unknown) => {
    asked.push(body === undefined ? [method, path] : [method, path, body]);
    return Promise.resolve(reply);
  };
  const methods = { get: answer('GET'), put: answer('PUT'), post: answer('POST'), delete: answer('DELETE') };
  const client = methods as unknown as InternalClient;
  return { client, asked };
}

describe('SchedulingClient', () => {
  it('asks for the defaults of a team by its id', async () => {
    const data = { scheduleId: 's', escalationId: 'e' };
    const { client, asked } = clientThatAnswers({ status: 200, body: { data } });
    expect(await new SchedulingClient(client).ensureTeamDefaults({ id: 'a/b', name: 'Ops' })).toEqual(data);
    expect(asked).toEqual([['PUT', '/internal/teams/a%2Fb/defaults', { teamName: 'Ops' }]]);
  });

  it.each([409, 422])('takes %i as a refusal for good', async (status) => {
    const { client } = clientThatAnswers({ status, body: {} });
    expect(await new SchedulingClient(client).ensureTeamDefaults({ id: 'a', name: 'Ops' })).toBe('refused');
  });

  it.each([
    [404, {}],
    [200, { data: {} }],
  ])('does not take %i with %j for an answer', async (status, body) => {
    const { client } = clientThatAnswers({ status, body });
    await expect(new SchedulingClient(client).ensureTeamDefaults({ id: 'a', name: 'Ops' })).rejects.toThrow(
      UnavailableError,
    );
  });

  it('releases a team', async () => {
    const { client, asked } = clientThatAnswers({ status: 200, body: {} });
    await new SchedulingClient(client).releaseTeam('a');
    expect(asked).toEqual([['DELETE', '/internal/teams/a']]);
  });

  it('asks for the uses of a user', async () => {
    const { client, asked } = clientThatAnswers({ status: 200, body: { data: ['Rotation [Rot1] names it.'] } });
    expect(await new SchedulingClient(client).usesOf('user', 'a b')).toEqual(['Rotation [Rot1] names it.']);
    expect(asked).toEqual([['GET', '/internal/uses?type=user&id=a%20b']]);
  });

  it("asks who takes turns in a team's schedules", async () => {
    const data = [{ userId: 'ada', rotation: 'Rot1', schedule: 'Ops_schedule' }];
    const { client, asked } = clientThatAnswers({ status: 200, body: { data } });
    expect(await new SchedulingClient(client).participationsIn('a/b')).toEqual(data);
    expect(asked).toEqual([['GET', '/internal/teams/a%2Fb/participations']]);
  });

  it.each([
    [404, {}],
    [200, { data: [{ userId: 'ada' }] }],
  ])('does not take %i with %j for participations', async (status, body) => {
    const { client } = clientThatAnswers({ status, body });
    await expect(new SchedulingClient(client).participationsIn('a')).rejects.toThrow(UnavailableError);
  });

  it.each([
    ['schedule', { id: 'a b' }, '/internal/states/schedules.v1?id=a+b'],
    ['escalation', { name: 'Night' }, '/internal/states/escalations.v1?name=Night'],
  ] as const)('finds a %s by %j', async (type, reference, path) => {
    const schedule = { timezone: 'UTC', enabled: true, rotations: [] };
    const state = {
      id: 'thing',
      name: 'Night',
      description: '',
      ownerTeamId: 'ops',
      ...(type === 'schedule' ? schedule : { rules: [] }),
    };
    const data = { id: 'thing', version: { epoch: 1, n: 1 }, deleted: false, state };
    const { client, asked } = clientThatAnswers({ status: 200, body: { data } });
    expect(await new SchedulingClient(client).find(type, reference)).toEqual({
      id: 'thing',
      ownerTeamId: 'ops',
    });
    expect(asked).toEqual([['GET', path]]);
  });

  it('finds nothing only where scheduling answers with nothing', async () => {
    const find = (status: number) =>
      new SchedulingClient(clientThatAnswers({ status, body: {} }).client).find('schedule', { id: 'x' });
    expect(await find(404)).toBeUndefined();
    await expect(find(200)).rejects.toThrow(UnavailableError);
  });

  it('does not read a missing answer as no uses', async () => {
    const { client } = clientThatAnswers({ status: 404, body: {} });
    await expect(new SchedulingClient(client).usesOf('team', 'a')).rejects.toThrow(UnavailableError);
  });

  it('asks who has to do with schedules', async () => {
    const data = [{ id: 's', name: 'Ops', ownerTeamId: 'ops', userIds: ['ada'] }];
    const { client, asked } = clientThatAnswers({ status: 200, body: { data } });
    const wanted = { ids: ['s', 'gone'], names: ['Ops'] };
    expect(await new SchedulingClient(client).assignments(wanted)).toEqual(data);
    expect(asked).toEqual([['POST', '/internal/schedules/participations', wanted]]);
  });

  it('names at most 1000 schedules in one request', async () => {
    const data = [{ id: 's', name: 'Ops', userIds: [] }];
    const { client, asked } = clientThatAnswers({ status: 200, body: { data } });
    const ids = Array.from({ length: 2_001 }, (_, n) => `s${n}`);
    expect(await new SchedulingClient(client).assignments({ ids, names: ['Ops'] })).toHaveLength(3);
    expect(asked.map(([, , body]) => body)).toEqual([
      { ids: ids.slice(0, 1_000), names: ['Ops'] },
      { ids: ids.slice(1_000, 2_000), names: [] },
      { ids: ids.slice(2_000), names: [] },
    ]);
  });

  it.each([
    [404, {}],
    [200, { data: [{ id: 's' }] }],
  ])('does not take %i with %j for the word that no schedule exists', async (status, body) => {
    const { client } = clientThatAnswers({ status, body });
    const asking = new SchedulingClient(client).assignments({ ids: ['s'], names: [] });
    await expect(asking).rejects.toThrow(UnavailableError);
  });
});

describe('TeamPartsClient of alert-ingest', () => {
  it('stops the integrations of a team', async () => {
    const { client, asked } = clientThatAnswers({ status: 200, body: {} });
    await new TeamPartsClient(client, 'alert-ingest').disableOf('a');
    expect(asked).toEqual([['DELETE', '/internal/teams/a/integrations']]);
  });

  it('does not take another answer for the word that they are stopped', async () => {
    const { client } = clientThatAnswers({ status: 404, body: {} });
    await expect(new TeamPartsClient(client, 'alert-ingest').disableOf('a')).rejects.toThrow(UnavailableError);
  });
});

describe('TeamPartsClient of alert-processor', () => {
  it('switches the policies of a team off', async () => {
    const { client, asked } = clientThatAnswers({ status: 200, body: {} });
    await new TeamPartsClient(client, 'alert-processor').disableOf('a/b');
    expect(asked).toEqual([['DELETE', '/internal/teams/a%2Fb/policies']]);
  });

  it('does not take another answer for the word that they are off', async () => {
    const { client } = clientThatAnswers({ status: 404, body: {} });
    await expect(new TeamPartsClient(client, 'alert-processor').disableOf('a')).rejects.toThrow(UnavailableError);
  });
});
