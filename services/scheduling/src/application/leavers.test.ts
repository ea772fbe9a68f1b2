import { beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/errors';
import { MemoryReplica } from '@tocsin/messaging';
import type { UserState } from '@tocsin/contracts';
import { forwardingOf, scheduleOf, userOf } from '../testing/on-call-samples.ts';
import type { Override } from '../domain/override.ts';
import { MemoryConfigurationStore } from '../testing/memory-configuration-store.ts';
import { Leavers } from './leavers.ts';

const overrideBy = (userId: string | undefined): Override => ({
  alias: `by ${userId ?? 'nobody'}`,
  user: userId === undefined ? { type: 'none' } : { type: 'user', id: userId },
  startAt: new Date('2026-01-01T00:00:00Z'),
  endAt: new Date('2026-01-02T00:00:00Z'),
  rotationIds: undefined,
});

let store: MemoryConfigurationStore;
let users: MemoryReplica<UserState>;
let said: string[];
let leavers: Leavers;

const log = {
  info: ({ ruleId, alias }: Readonly<Record<string, unknown>>, message: string) => {
    said.push(`${message}: ${String(ruleId ?? alias)}`);
  },
};
const left = async () => {
  const { schedules, forwardingRules } = await store.current();
  const aliases = schedules.all().flatMap(({ overrides }) => overrides.map(({ alias }) => alias));
  return [...aliases, ...forwardingRules.all().map(({ id }) => id)];
};
const versions = async () => (await store.current()).schedules.all().map(({ version }) => version.n);

beforeEach(async () => {
  store = new MemoryConfigurationStore();
  users = new MemoryReplica<UserState>({ username: ({ username }) => username });
  said = [];
  for (const id of ['ada', 'bob', 'eve']) users.put(id, userOf(id));
  const overrides = [overrideBy('ada'), overrideBy('bob'), overrideBy(undefined)];
  await store.change(() => ({
    schedules: { put: [scheduleOf('ops', [], { overrides }), scheduleOf('other', [])] },
    forwardingRules: { put: [forwardingOf('ada', 'eve'), forwardingOf('eve', 'ada'), forwardingOf('bob', 'eve')] },
    answer: undefined,
  }));
  leavers = new Leavers({ store, users });
});

describe('Leavers', () => {
  it('deletes the overrides and the rules from and to a user who is gone, and logs each once', async () => {
    users.remove('ada');
    await leavers.sweep(log);
    expect(await left()).toEqual(['by bob', 'by nobody', 'bob-eve']);
    expect(await versions()).toEqual([2, 1]);
    await leavers.sweep(log);
    expect(said.sort()).toEqual([
      'a forwarding rule went with its user: ada-eve',
      'a forwarding rule went with its user: eve-ada',
      'an override went with its user: by ada',
    ]);
    expect(await versions()).toEqual([2, 1]);
  });

  it('changes nothing while all users exist', async () => {
    const before = await left();
    await leavers.sweep(log);
    expect([await left(), said]).toEqual([before, []]);
  });

  it('takes the word of the owner where the replica lags behind', async () => {
    const before = await left();
    users.forget('ada');
    users.ownerHas('id', 'ada', userOf('ada'));
    await leavers.sweep(log);
    expect(await left()).toEqual(before);
  });

  it('deletes nothing while the owner cannot be asked', async () => {
    const before = await left();
    users.forget('ada');
    users.refuseWith(new UnavailableError('The directory does not answer.'));
    await expect(leavers.sweep(log)).rejects.toThrow(UnavailableError);
    expect(await left()).toEqual(before);
  });
});
