import { describe, expect, it } from '@jest/globals';
import type { TeamState, UserState } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { MemoryReplica } from '@tocsin/messaging';
import { rotationOf, scheduleOf, userOf } from '../domain/on-call.samples.ts';
import { MemoryConfigurationStore } from '../storage/memory-configuration-store.ts';
import { Worlds } from './known-world.ts';

const ada = { type: 'user', id: 'ada' } as const;

function setUp() {
  const users = new MemoryReplica<UserState>();
  const worlds = new Worlds({ store: new MemoryConfigurationStore(), users, teams: new MemoryReplica<TeamState>() });
  return { users, worlds };
}

describe('a world', () => {
  it('learns of a user who was created a moment ago, and says that there is something new once', async () => {
    const { users, worlds } = setUp();
    users.ownerHas('id', 'ada', userOf('ada'));
    const world = await worlds.open();
    expect(world.user('ada')).toBeUndefined();
    expect([await world.learn([ada]), await world.learn([ada])]).toEqual([true, false]);
    expect(world.user('ada')?.username).toBe('ada@example.com');
  });

  it('learns nothing of who is gone, nor of things that are kept here', async () => {
    const world = await setUp().worlds.open();
    expect(await world.learn([ada, { type: 'schedule', id: 'x' }])).toBe(false);
  });

  it('fails rather than forgets when the owner cannot be asked', async () => {
    const { users, worlds } = setUp();
    users.refuseWith(new UnavailableError('The directory does not answer.'));
    const world = await worlds.open();
    await expect(world.learn([ada])).rejects.toThrow(UnavailableError);
    await expect(world.learn([ada])).rejects.toThrow(UnavailableError);
  });

  it('is open about things although the names of those in them cannot be asked for', async () => {
    const { users, worlds } = setUp();
    users.refuseWith(new UnavailableError('The directory does not answer.'));
    const world = await worlds.about([scheduleOf('ops', [rotationOf([ada])], { ownerTeamId: 'sre' })]);
    expect(world.user('ada')).toBeUndefined();
  });
});
