import { describe, expect, it } from '@jest/globals';
import type { TeamState, UserState } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { MemoryReplica } from '@tocsin/messaging';
import { rotationOf, scheduleOf, userOf } from '../domain/on-call.samples.ts';
import { MemoryConfigurationStore } from '../storage/memory-configuration-store.ts';
import { Worlds } from './known-world.ts';
import { OnCallResolver } from './on-call-resolver.ts';

const secondDay = new Date('2026-01-02T12:00:00Z');

async function setUp() {
  const store = new MemoryConfigurationStore();
  const users = new MemoryReplica<UserState>();
  users.put('ada', userOf('ada'));
  const rotation = rotationOf([
    { type: 'user', id: 'ada' },
    { type: 'user', id: 'new' },
  ]);
  await store.change(() => ({ schedules: { put: [scheduleOf('ops', [rotation])] }, answer: undefined }));
  const worlds = new Worlds({ store, users, teams: new MemoryReplica<TeamState>() });
  return { resolver: new OnCallResolver({ store, worlds }), users };
}

describe('usersOnCall', () => {
  it('pages whoever has the turn, its successor or its predecessor', async () => {
    const { resolver, users } = await setUp();
    users.put('new', userOf('new'));
    const usersOf = async (notifyType: 'default' | 'next' | 'previous') =>
      (await resolver.usersOnCall('ops', secondDay, notifyType)).users;
    expect(await usersOf('default')).toEqual([{ userId: 'new' }]);
    expect(await usersOf('next')).toEqual([{ userId: 'ada' }]);
    expect(await usersOf('previous')).toEqual([{ userId: 'ada' }]);
  });

  it('pages a user who was created a moment ago', async () => {
    const { resolver, users } = await setUp();
    users.ownerHas('id', 'new', userOf('new'));
    expect((await resolver.usersOnCall('ops', secondDay, 'default')).users).toEqual([{ userId: 'new' }]);
  });

  it('skips a user who is gone and says so', async () => {
    const { resolver } = await setUp();
    const answer = await resolver.usersOnCall('ops', secondDay, 'default');
    expect(answer.users).toEqual([]);
    expect(answer.explanation).toContain('user [new] does not exist any more');
  });

  it('fails rather than skips when it cannot be told whether a user exists', async () => {
    const { resolver, users } = await setUp();
    users.refuseWith(new UnavailableError('The directory does not answer.'));
    await expect(resolver.usersOnCall('ops', secondDay, 'default')).rejects.toThrow(UnavailableError);
  });

  it('reaches nobody through a schedule that is gone', async () => {
    const { resolver } = await setUp();
    expect(await resolver.usersOnCall('gone', secondDay, 'default')).toMatchObject({
      users: [],
      explanation: 'Schedule [gone] does not exist any more.',
    });
  });
});
