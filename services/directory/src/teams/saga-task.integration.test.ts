import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { AddressGuard, CodeHasher, CodeSealer, LinkSigner } from '@tocsin/http';
import { KnownBrowsers } from '../sessions/known-browser.ts';
import { createDirectory, type Directory, type DirectoryOptions } from '../compose-operations.ts';
import type { Stores } from '../compose-stores.ts';
import { MemoryNotifier } from '../testing/memory-notifier.ts';
import { MemoryScheduling } from '../testing/memory-scheduling.ts';
import { MemoryTeamParts } from '../testing/memory-team-parts.ts';
import { emptyStores } from '../testing/mongo-fixture.ts';
import { sampleUser } from '../testing/stored-samples.ts';
import type { TeamLogPage } from './log-store.ts';

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
  stores: Stores,
  others: Pick<DirectoryOptions, 'scheduling' | 'integrations' | 'policies'>,
): Directory {
  return createDirectory({
    ...stores,
    ...others,
    targets: new MemoryScheduling(),
    pendingCopies: { keep: () => Promise.resolve() },
    pause: () => Promise.resolve(),
    shadowNotifier: new MemoryNotifier(),
    clock: new ManualClock(new Date('2026-01-01T00:00:00Z')),
    newId: () => `id-${(ids += 1)}`,
    newCode: () => '000000',
    newSignInCode: () => '00000000',
    confirmation: 'off',
    newTopic: () => 'topic',
    newSubscriptionName: () => 'browser',
    pushServices: new AddressGuard(),
    newToken: () => 'token',
    codeHasher: new CodeHasher(['a signing key']),
    codeSealer: new CodeSealer(['a signing key']),
    knownBrowsers: new KnownBrowsers(new LinkSigner(['a signing key'], 'browser')),
    pushUrl: undefined,
    deviceServices: { gotify: false, pushover: false, slack: false, mattermost: false },
    telegramBot: undefined,
    newLinkCode: () => 'code',
    openId: undefined,
    log: { info: () => undefined },
    account: { name: 'Example', timezone: 'UTC', locale: 'en_US' },
  });
}

/** More than the number of steps of either saga, so that the last of these processes live. */
const WHOLE_HISTORY: TeamLogPage = { order: 'asc', limit: 100, after: undefined };

const EVERY_STEP = [1, 2, 3, 4, 5, 6, 7, 8, 9];

async function setUp() {
  const stores = await emptyStores();
  await stores.users.insert(sampleUser('ada'));
  const others = {
    scheduling: new MemoryScheduling(),
    integrations: new MemoryTeamParts(),
    policies: new MemoryTeamParts(),
  };
  const mortal = (steps: number) => {
    const life = new MortalProcess(steps);
    const directory = processOf(
      { ...stores, users: life.reach(stores.users), teams: life.reach(stores.teams) },
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

describe('the saga of teams', () => {
  it.each(EVERY_STEP)('leaves a team whole or absent when its creator is killed after step %i', async (steps) => {
    const { stores, scheduling, mortal, survivor } = await setUp();
    const { life, directory } = mortal(steps);
    const answer = await directory.teams.create(ops, 'Default API').catch((error: unknown) => error);
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
    await expect(mortal(steps).directory.teams.create(ops, 'Default API')).rejects.toThrow('killed');
    const { id } = await survivor.teams.create(ops, 'Default API');
    expect(await stores.teams.find({ name: 'Ops' })).toMatchObject({
      id,
      members: [{ userId: 'user-ada', role: 'user' }],
    });
  });

  it('refuses the repeat of a request that was killed when the team was whole', async () => {
    const { mortal, survivor } = await setUp();
    await expect(mortal(4).directory.teams.create(ops, 'Default API')).rejects.toThrow('killed');
    await expect(survivor.teams.create(ops, 'Default API')).rejects.toThrow('Team with name [Ops] already exists.');
  });

  it.each(EVERY_STEP)('leaves a team whole or absent when its remover is killed after step %i', async (steps) => {
    const { stores, scheduling, integrations, policies, mortal, survivor } = await setUp();
    const { id } = await survivor.teams.create(ops, 'Default API');
    await mortal(steps)
      .directory.teams.remove({ id })
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

  it('continues with the others when one team can not be finished', async () => {
    const { stores, scheduling, integrations, mortal, survivor } = await setUp();
    const { id } = await survivor.teams.create({ ...ops, name: 'Web' }, 'Default API');
    integrations.isUnavailable = true;
    await survivor.teams.remove({ id }).catch(() => undefined);
    await mortal(2)
      .directory.teams.create(ops, 'Default API')
      .catch(() => undefined);
    await expect(survivor.saga.sweep(0)).rejects.toThrow('1 teams are not finished');
    expect(await stores.teams.find({ name: 'Ops' })).toBeDefined();
    integrations.isUnavailable = false;
    await survivor.saga.sweep(0);
    expect(await stores.teams.unfinished(0)).toEqual([]);
    expect(scheduling.defaults.size).toBe(1);
  });

  it('removes a team that scheduling refuses for good', async () => {
    const { stores, scheduling, survivor } = await setUp();
    scheduling.refuses = true;
    await expect(survivor.teams.create(ops, 'Default API')).rejects.toThrow(
      'Team [Ops] could not be given its schedule.',
    );
    expect(await stores.teams.unfinished(0)).toEqual([]);
    scheduling.refuses = false;
    expect(await survivor.teams.create(ops, 'Default API')).toMatchObject({ name: 'Ops' });
  });

  it('does not change teams that are younger than an abandoned change', async () => {
    const { stores, mortal, survivor } = await setUp();
    await mortal(2)
      .directory.teams.create(ops, 'Default API')
      .catch(() => undefined);
    await survivor.saga.sweep();
    expect(await stores.teams.unfinished(0)).toHaveLength(1);
  });
});
