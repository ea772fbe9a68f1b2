import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { MemoryTeamParts } from '../testing/memory-team-parts.ts';
import { MemoryScheduling } from '../testing/memory-scheduling.ts';
import { MemoryDirectory } from '../testing/memory-directory.ts';
import { MemoryRoleStore } from '../testing/memory-role-store.ts';
import { MemoryUserLots } from '../testing/memory-user-lots.ts';
import type { TeamLogPage } from '../ports/team-store.ts';
import { sampleUser } from '../testing/stored-samples.ts';
import type { DirectoryStores } from './user-store.contract.ts';
import { createDirectory, type Directory, type DirectoryPorts } from '../application/directory.ts';

/** A process that dies right after its n-th finished step: whatever it does from then on has no effect. */
class MortalProcess {
  #stepsLeft: number;

  constructor(steps: number) {
    this.#stepsLeft = steps;
  }

  get died(): boolean {
    return this.#stepsLeft <= 0;
  }

  /** `port` as this process reaches it. */
  reach<P extends object>(port: P): P {
    return new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return async (...values: unknown[]) => {
          this.#assertAlive();
          const value: unknown = await Reflect.apply(member, target, values);
          this.#stepsLeft -= 1;
          this.#assertAlive();
          return value;
        };
      },
    });
  }

  #assertAlive(): void {
    if (this.died) throw new Error('killed');
  }
}

let ids = 0;

function processOf(
  stores: DirectoryStores,
  others: Pick<DirectoryPorts, 'scheduling' | 'integrations' | 'policies'>,
): Directory {
  return createDirectory({
    ...stores,
    ...others,
    targets: new MemoryScheduling(),
    roleStore: new MemoryRoleStore(new MemoryDirectory()),
    userLots: new MemoryUserLots(new MemoryDirectory()),
    pendingCopies: { keep: () => Promise.resolve() },
    clock: new ManualClock(new Date('2026-01-01T00:00:00Z')),
    newId: () => `id-${(ids += 1)}`,
    newCode: () => '000000',
    confirmation: 'off',
    newTopic: () => 'topic',
    pushUrl: undefined,
    log: { info: () => undefined },
    account: { name: 'Example', timezone: 'UTC', locale: 'en_US' },
  });
}

/** More than the number of steps of either saga, so that the last of these processes live. */
const WHOLE_HISTORY: TeamLogPage = { order: 'asc', limit: 100, after: undefined };

const EVERY_STEP = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** What the saga of teams promises on any storage. */
export function describeTeamSaga(name: string, create: () => Promise<DirectoryStores>): void {
  async function setUp() {
    const stores = await create();
    await stores.users.insert(sampleUser('ada'));
    const others = {
      scheduling: new MemoryScheduling(),
      integrations: new MemoryTeamParts(),
      policies: new MemoryTeamParts(),
    };
    const mortal = (steps: number) => {
      const life = new MortalProcess(steps);
      const directory = processOf(
        { users: life.reach(stores.users), teams: life.reach(stores.teams) },
        {
          scheduling: life.reach(others.scheduling),
          integrations: life.reach(others.integrations),
          policies: life.reach(others.policies),
        },
      );
      return { life, directory };
    };
    return { stores, ...others, mortal, survivor: processOf(stores, others) };
  }

  const ops = {
    name: 'Ops',
    description: undefined,
    members: [{ user: { id: 'user-ada', username: undefined }, role: undefined }],
  };

  describe(`the saga of teams on ${name}`, () => {
    it.each(EVERY_STEP)('leaves a team whole or absent when its creator is killed after step %i', async (steps) => {
      const { stores, scheduling, mortal, survivor } = await setUp();
      const { life, directory } = mortal(steps);
      const answer = await directory.createTeam.run(ops, 'Default API').catch((error: unknown) => error);
      expect(answer instanceof Error).toBe(life.died);
      await survivor.saga.sweep(0);
      const team = await stores.teams.find({ name: 'Ops' });
      expect(await stores.teams.unfinished(0)).toEqual([]);
      expect(scheduling.defaults.size).toBe(team === undefined ? 0 : 1);
      expect(team?.defaults).toEqual(team && scheduling.defaults.get(team.id));
      expect(team?.routingRules ?? []).toHaveLength(team === undefined ? 0 : 1);
      const history = team === undefined ? [] : await stores.teams.history(team.id, WHOLE_HISTORY);
      const created = { owner: 'Default API', log: 'Team [Ops] is created.' };
      expect(history).toMatchObject(team === undefined ? [] : [created]);
    });

    it.each([1, 2, 3])('completes a team when the request is repeated after a kill at step %i', async (steps) => {
      const { stores, mortal, survivor } = await setUp();
      await expect(mortal(steps).directory.createTeam.run(ops, 'Default API')).rejects.toThrow('killed');
      const { id } = await survivor.createTeam.run(ops, 'Default API');
      expect(await stores.teams.find({ name: 'Ops' })).toMatchObject({
        id,
        members: [{ userId: 'user-ada', role: 'user' }],
      });
    });

    it('refuses the repeat of a request that was killed when the team was whole', async () => {
      const { mortal, survivor } = await setUp();
      await expect(mortal(4).directory.createTeam.run(ops, 'Default API')).rejects.toThrow('killed');
      await expect(survivor.createTeam.run(ops, 'Default API')).rejects.toThrow('Team with name [Ops] already exists.');
    });

    it.each(EVERY_STEP)('leaves a team whole or absent when its remover is killed after step %i', async (steps) => {
      const { stores, scheduling, integrations, policies, mortal, survivor } = await setUp();
      const { id } = await survivor.createTeam.run(ops, 'Default API');
      await mortal(steps)
        .directory.deleteTeam.run({ id })
        .catch(() => undefined);
      await survivor.saga.sweep(0);
      const team = await stores.teams.find({ id });
      expect(await stores.teams.unfinished(0)).toEqual([]);
      expect(scheduling.released.has(id)).toBe(team === undefined);
      expect(integrations.disabled.has(id)).toBe(team === undefined);
      expect(policies.disabled.has(id)).toBe(team === undefined);
      expect(scheduling.defaults.has(id)).toBe(team !== undefined);
      expect(await stores.teams.history(id, WHOLE_HISTORY)).toHaveLength(team === undefined ? 0 : 1);
    });

    it('goes on with the others when one team can not be finished', async () => {
      const { stores, scheduling, integrations, mortal, survivor } = await setUp();
      const { id } = await survivor.createTeam.run({ ...ops, name: 'Web' }, 'Default API');
      integrations.away = true;
      await survivor.deleteTeam.run({ id }).catch(() => undefined);
      await mortal(2)
        .directory.createTeam.run(ops, 'Default API')
        .catch(() => undefined);
      await expect(survivor.saga.sweep(0)).rejects.toThrow('1 teams wait for their other half');
      expect(await stores.teams.find({ name: 'Ops' })).toBeDefined();
      integrations.away = false;
      await survivor.saga.sweep(0);
      expect(await stores.teams.unfinished(0)).toEqual([]);
      expect(scheduling.defaults.size).toBe(1);
    });

    it('takes back what scheduling refuses for good', async () => {
      const { stores, scheduling, survivor } = await setUp();
      scheduling.refuses = true;
      await expect(survivor.createTeam.run(ops, 'Default API')).rejects.toThrow(
        'Team [Ops] could not be given its schedule.',
      );
      expect(await stores.teams.unfinished(0)).toEqual([]);
      scheduling.refuses = false;
      expect(await survivor.createTeam.run(ops, 'Default API')).toMatchObject({ name: 'Ops' });
    });

    it('does not touch what is younger than an abandoned change', async () => {
      const { stores, mortal, survivor } = await setUp();
      await mortal(2)
        .directory.createTeam.run(ops, 'Default API')
        .catch(() => undefined);
      await survivor.saga.sweep();
      expect(await stores.teams.unfinished(0)).toHaveLength(1);
    });
  });
}
