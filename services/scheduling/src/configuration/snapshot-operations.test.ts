import { describe, expect, it } from '@jest/globals';
import type { TeamState, UserState } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import { MemoryReplica } from '@tocsin/kafka';
import { rotationOf, scheduleOf, userOf } from '../testing/on-call-samples.ts';
import { SampleConfiguration } from '../testing/sample-configuration.ts';
import { Snapshots } from './snapshot-operations.ts';

const ada = { type: 'user', id: 'ada' } as const;

function setUp() {
  const users = new MemoryReplica<UserState>();
  const snapshots = new Snapshots({
    store: new SampleConfiguration(),
    users,
    teams: new MemoryReplica<TeamState>(),
  });
  return { users, snapshots };
}

describe('a snapshot', () => {
  it('loads a user who was created a moment ago, and reports a new user once', async () => {
    const { users, snapshots } = setUp();
    users.ownerHas('id', 'ada', userOf('ada'));
    const snapshot = await snapshots.open();
    expect(snapshot.user('ada')).toBeUndefined();
    expect([await snapshot.load([ada]), await snapshot.load([ada])]).toEqual([true, false]);
    expect(snapshot.user('ada')?.username).toBe('ada@example.com');
  });

  it('loads no deleted user, and no entity of this service', async () => {
    const snapshot = await setUp().snapshots.open();
    expect(await snapshot.load([ada, { type: 'schedule', id: 'x' }])).toBe(false);
  });

  it('fails rather than forgets when the owner cannot be asked', async () => {
    const { users, snapshots } = setUp();
    users.refuseWith(new UnavailableError('The directory does not answer.'));
    const snapshot = await snapshots.open();
    await expect(snapshot.load([ada])).rejects.toThrow(UnavailableError);
    await expect(snapshot.load([ada])).rejects.toThrow(UnavailableError);
  });

  it('is open about things although the names of those in them cannot be asked for', async () => {
    const { users, snapshots } = setUp();
    users.refuseWith(new UnavailableError('The directory does not answer.'));
    const snapshot = await snapshots.withNamesIn([scheduleOf('ops', [rotationOf([ada])], { ownerTeamId: 'sre' })]);
    expect(snapshot.user('ada')).toBeUndefined();
  });
});
