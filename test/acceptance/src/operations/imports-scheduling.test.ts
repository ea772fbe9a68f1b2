import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, type Scenario } from '@tocsin/testkit';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
let scenario: Scenario;
let ada: Person;
let bob: Person;
let eve: Person;

interface Person {
  readonly type: 'user';
  readonly id: string;
}

interface Shown {
  readonly id: string;
  readonly rotations: readonly { readonly id: string }[];
}

const person = async (name: string): Promise<Person> => {
  const { id } = await system.api.read<{ readonly id: string }>(`/v2/users/${scenario.address(name)}`);
  return { type: 'user', id };
};

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada', 'bob', 'eve');
  [ada, bob, eve] = [await person('ada'), await person('bob'), await person('eve')];
});

/** The results of importing `bodies` under one id, one after the other. */
async function results(kind: string, id: string, ...bodies: readonly object[]): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const body of bodies)
    found.push((await system.api.expect(200, 'PUT', `/v2/imports/${kind}/${id}`, body)).body['result']);
  return found;
}

/** What a schedule says of its duties in two weeks, without the ids and names that two schedules differ in. */
async function duties(path: string): Promise<unknown> {
  const onCalls = await system.api.read<{ readonly onCallParticipants: unknown }>(`${path}/on-calls`);
  const timeline = await system.api.read<Record<string, { readonly rotations: readonly Record<string, unknown>[] }>>(
    `${path}/timeline?expand=base,forwarding,override&interval=2&intervalUnit=weeks`,
  );
  const layers = ['finalTimeline', 'baseTimeline', 'overrideTimeline', 'forwardingTimeline'].map((layer) =>
    timeline[layer]?.rotations.map(({ name, order, periods }) => ({ name, order, periods })),
  );
  return { onCalls: onCalls.onCallParticipants, layers };
}

const restricted = { type: 'time-of-day', restriction: { startHour: 20, startMin: 0, endHour: 8, endMin: 0 } };
const inDays = (days: number) => new Date(system.clock.now().getTime() + days * 86_400_000).toISOString();

/** Two rotations that began years ago. */
const rotations = () => [
  { name: 'Days', type: 'daily', startDate: '2017-02-06T05:00:00Z', participants: [ada, bob, eve] },
  {
    name: 'Nights',
    type: 'weekly',
    length: 2,
    startDate: '2019-10-28T19:00:00Z',
    participants: [bob, { type: 'none' }, ada],
    timeRestriction: restricted,
  },
];

describe('the import of schedules, escalations and forwarding rules', () => {
  it('import-schedule: an imported schedule has the duties of one that the public operations made', async () => {
    const made = await system.api.create('/v2/schedules', {
      name: scenario.name('Made'),
      timezone: 'Europe/Berlin',
      rotations: rotations(),
    });
    const path = `/v2/schedules/${made.id}`;
    const ofMade = await system.api.read<Shown>(path);
    const overridesOf = (shown: readonly { readonly id: string }[]) => [
      { alias: 'week', user: eve, startDate: inDays(1), endDate: inDays(8), rotations: [{ id: shown[1]?.id }] },
      { alias: 'hours', user: { type: 'none' }, startDate: inDays(2.25), endDate: inDays(2.5) },
    ];
    for (const override of overridesOf(ofMade.rotations))
      await system.api.expect(201, 'POST', `${path}/overrides`, override);
    const forwarding = { fromUser: { id: ada.id }, toUser: { id: bob.id }, startDate: inDays(3), endDate: inDays(5) };
    const ruleId = randomUUID();
    const moved = { ...forwarding, alias: scenario.name('Away') };
    expect(await results('forwarding-rules', ruleId, forwarding, moved, moved)).toEqual([
      'Created',
      'Updated',
      'Unchanged',
    ]);

    const [id, ids] = [randomUUID(), rotations().map(() => ({ id: randomUUID() }))];
    const body = {
      name: scenario.name('Imported'),
      timezone: 'Europe/Berlin',
      rotations: rotations().map((rotation, index) => ({ ...rotation, ...ids[index] })),
      overrides: overridesOf(ids),
    };
    expect(await results('schedules', id, { name: body.name }, body, body)).toEqual([
      'Created',
      'Updated',
      'Unchanged',
    ]);
    expect((await system.api.read<Shown>(`/v2/schedules/${id}`)).rotations).toMatchObject(ids);
    expect(await duties(`/v2/schedules/${id}`)).toEqual(await duties(path));
  });

  it('import-escalation: it and a schedule that name each other are imported, each under its id', async () => {
    const [id, scheduleId] = [randomUUID(), randomUUID()];
    const escalation = {
      name: scenario.name('Late'),
      rules: [{ delay: { timeAmount: 5 }, recipient: { type: 'schedule', id: scheduleId } }],
    };
    const participants = [{ type: 'escalation', id }];
    const rotation = { type: 'daily', startDate: '2017-02-06T05:00:00Z', participants };
    const schedule = { name: scenario.name('Ops'), rotations: [rotation] };
    const path = `/v2/imports/schedules/${scheduleId}`;
    const refused = await system.api.expect(404, 'PUT', path, schedule);
    expect(refused.body['message']).toBe(`Escalation with id [${id}] does not exist.`);
    await results('schedules', scheduleId, { name: schedule.name });
    expect(await results('escalations', id, escalation, escalation)).toEqual(['Created', 'Unchanged']);
    expect(await results('schedules', scheduleId, schedule, schedule)).toEqual(['Updated', 'Unchanged']);
    expect(await system.api.read(`/v2/escalations/${id}`)).toMatchObject({ id, name: escalation.name });
  });

  it('a schedule that was deleted and is imported again is known to the other services again', async () => {
    const [id, team] = [randomUUID(), await scenario.team('Ops', 'ada')];
    const body = { name: scenario.name('Again'), rotations: rotations() };
    await results('schedules', id, body);
    await system.api.expect(200, 'DELETE', `/v2/schedules/${id}`);
    const rules = `/v2/teams/${team.id}/routing-rules`;
    const rule = { type: 'match-all', notify: { type: 'schedule', id } };
    await eventually(async () => {
      expect((await system.api.request('POST', rules, rule)).status).toBe(404);
    });
    expect(await results('schedules', id, body)).toEqual(['Created']);
    await eventually(async () => {
      await system.api.expect(201, 'POST', rules, rule);
    });
  });
});
