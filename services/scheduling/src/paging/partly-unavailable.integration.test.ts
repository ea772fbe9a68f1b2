import { describe, expect, it } from '@jest/globals';
import type { UserState } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import { forwardingOf, rotationOf, scheduleOf, teamOf, userOf } from '../testing/on-call-samples.ts';
import { useEngines } from '../testing/engine-fixture.ts';

const engineFixture = useEngines();

describe('a directory that does not answer for one of the users and teams of a request', () => {
  it('makes no user count as deleted as long as it has not answered for that user', async () => {
    const { receive, users, paged, advance } = await engineFixture();
    const late = Promise.withResolvers<undefined>();
    const held: Record<string, UserState> = { slow: userOf('slow') };
    users.fetch = (_, id) =>
      id === 'fails' ? Promise.reject(new UnavailableError('Too busy.')) : late.promise.then(() => held[id]);
    setTimeout(late.resolve, 20, undefined);
    await receive(1, {
      responders: [
        { type: 'user', id: 'fails' },
        { type: 'user', id: 'slow' },
      ],
    });
    expect(paged()).toEqual(['slow']);
    Object.assign(held, { fails: userOf('fails') });
    users.fetch = (_, id) => Promise.resolve(held[id]);
    await advance(1);
    expect(paged()).toEqual(['slow', 'fails']);
  });

  it('is asked again for the users to whom a team leads for which it did answer', async () => {
    const { receive, configuration, users, teams, paged, advance } = await engineFixture();
    const s2 = scheduleOf('s2', [rotationOf([{ type: 'user', id: 'deep' }])]);
    configuration.change({ schedules: { put: [s2] } });
    users.refuseWith(new UnavailableError('Too busy.'));
    teams.ownerHas('id', 'new', teamOf('new', {}, { type: 'schedule', id: 's2' }));
    await receive(1, {
      responders: [
        { type: 'user', id: 'fails' },
        { type: 'team', id: 'new' },
      ],
    });
    expect(paged()).toEqual([]);
    users.refuseWith(undefined);
    users.ownerHas('id', 'deep', userOf('deep'));
    await advance(1);
    await advance(1);
    expect(paged()).toEqual(['deep']);
  });
});

describe('a user whose duty is forwarded while directory is unavailable', () => {
  it('and who is not known either, leads to one page of the user on call then', async () => {
    const { receive, configuration, users, paged, advance } = await engineFixture();
    configuration.change({ forwardingRules: { put: [forwardingOf('neu', 'new')] } });
    users.refuseWith(new UnavailableError('Directory is unavailable.'));
    await receive(1, { responders: [{ type: 'user', id: 'neu' }] });
    users.refuseWith(undefined);
    for (const id of ['neu', 'new']) users.ownerHas('id', id, userOf(id));
    await advance(1);
    await advance(1);
    expect(paged()).toEqual(['new']);
  });

  it('leads, where no such user exists, to a log entry at the end of the flow that no user is left to page', async () => {
    const { receive, configuration, users, advance, exhausted } = await engineFixture();
    configuration.change({ forwardingRules: { put: [forwardingOf('ada', 'gone')] } });
    users.refuseWith(new UnavailableError('Directory is unavailable.'));
    await receive(1);
    for (let minute = 0; minute < 30; minute += 1) await advance(1);
    users.refuseWith(undefined);
    for (let minute = 0; minute < 60; minute += 1) await advance(1);
    expect(exhausted()).toBe(1);
  });
});
