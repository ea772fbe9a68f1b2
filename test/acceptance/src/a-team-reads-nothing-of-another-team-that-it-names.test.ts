import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/api';
import type { Api } from './system/api.ts';
import { useSystem } from './system/system.ts';

const system = useSystem();

/** All texts of entities of team Red contain this word, and no others. */
const CANARY = 'canary';

/** Whatever makes an answer say more; an operation answers some of them. */
const QUERIES = [
  'identifierType=name&scheduleIdentifierType=name&teamIdentifierType=name&limit=100',
  'identifierType=id&scheduleIdentifierType=id&teamIdentifierType=id&flat=true',
  'identifierType=alias&order=asc',
  'expand=base,override,forwarding&interval=2&intervalUnit=days&identifierType=name',
];

/** Users and forwarding rules belong to the account (K8, S13); links open without a key; a tool may send an alert by GET (Q1). */
const READS = OPERATIONS.filter(
  ({ method, path, right, teamKeys }) =>
    method === 'GET' &&
    teamKeys !== 'refused' &&
    right !== 'link' &&
    right !== 'callback' &&
    right !== 'send' &&
    !/^\/v2\/(users|forwarding-rules)/.test(path),
);

async function textsOf(key: string, path: string): Promise<readonly string[]> {
  const answers = await Promise.all(
    QUERIES.map((query) =>
      fetch(`${system.api.url}${path}?${query}`, { headers: { authorization: `GenieKey ${key}` } }),
    ),
  );
  const read = answers.filter(({ status }) => status === 200);
  return Promise.all(read.map((answer) => answer.text()));
}

/** `path` with every value in the place of its first parameter, and every part in those of the others. */
function filled(path: string, values: readonly string[], parts: readonly string[]): readonly string[] {
  if (!path.includes('{')) return [path];
  return values.flatMap((value) => filled(path.replace(/\{\w+\}/, encodeURIComponent(value)), parts, parts));
}

/** Of a schedule or a team. */
interface Part {
  readonly id: string;
}

const DELAY = { timeAmount: 0 };

/** Team Red, whose every thing bears the canary's name: ada is on call there. */
async function red() {
  const scenario = system.scenario();
  await scenario.users('ada', 'canary-bea', 'eve');
  const team = await scenario.team('Red', 'ada', 'canary-bea');
  const owned = { ownerTeam: { id: team.id } };
  const participants = [scenario.user('ada'), scenario.user('canary-bea')];
  const rotations = [
    { name: 'canary turns', type: 'weekly', startDate: system.clock.now().toISOString(), participants },
  ];
  const schedule = await system.api.create('/v2/schedules', { name: 'canary days', rotations, ...owned });
  const rules = [
    {
      condition: 'if-not-acked',
      notifyType: 'default',
      delay: DELAY,
      recipient: { type: 'schedule', id: schedule.id },
    },
  ];
  const escalation = await system.api.create('/v2/escalations', { name: 'canary steps', rules, ...owned });
  await system.api.create(`/v2/teams/${team.id}/routing-rules`, {
    name: 'canary rule',
    notify: { type: 'escalation', id: escalation.id },
  });
  await scenario.policy('canary policy', { message: '{{message}}' }, team.id);
  await system.api.create('/v2/alerts/saved-searches', {
    name: 'canary search',
    query: 'status: open',
    owner: { username: scenario.address('ada') },
    teams: [{ id: team.id }],
  });
  return { scenario, team, schedule, escalation };
}

/** Names team Red with the key of team Blue, wherever that may or may not be; answers the ids and names of what there is. */
async function nameRed(blue: Api, { escalation, scenario, schedule, team }: Awaited<ReturnType<typeof red>>) {
  const to = { type: 'team', id: team.id };
  const rules = ['default', 'random'].map((notifyType) => ({
    condition: 'if-not-acked',
    notifyType,
    delay: { timeAmount: 60 },
    recipient: to,
  }));
  const mine = await blue.create('/v2/escalations', { name: 'Blue steps', rules });
  const participants = [to, { type: 'escalation', id: mine.id }];
  const startDate = system.clock.now().toISOString();
  const turns = participants.map((one) => ({ type: 'daily', startDate, participants: [one] }));
  const days = await blue.create('/v2/schedules', { name: 'Blue days', rotations: turns });
  const alias = scenario.name('handed over');
  const theirs = [
    { type: 'schedule', id: schedule.id },
    { type: 'escalation', name: 'canary steps' },
  ];
  await blue.expect(202, 'POST', '/v2/alerts', { message: 'Handed over', alias, responders: [to, ...theirs] });
  await system.settle();
  const { id, responders } = await blue.read<{ readonly id: string; readonly responders: unknown }>(
    `/v2/alerts/${encodeURIComponent(alias)}?identifierType=alias`,
  );
  const asked = [
    await blue.expect(202, 'POST', `/v2/alerts/${id}/responders`, { responder: { type: 'schedule', id: schedule.id } }),
    await blue.expect(202, 'POST', `/v2/alerts/${id}/teams`, { team: { id: team.id } }),
    await blue.expect(202, 'POST', `/v2/alerts/${id}/escalate`, { escalation: { id: escalation.id } }),
  ];
  await system.settle();
  const search = { query: 'status: open', owner: { username: scenario.address('eve') } };
  await blue.expect(403, 'POST', '/v2/alerts/saved-searches', {
    ...search,
    name: 'Blue search',
    teams: [{ id: team.id }],
  });
  await blue.create('/v2/alerts/saved-searches', { ...search, name: 'Blue search' });
  const requests = asked.map(({ body }) => String(body['requestId']));
  const statuses = await Promise.all(
    requests.map((request) => blue.read<{ readonly status: string }>(`/v2/alerts/requests/${request}`)),
  );
  return {
    id,
    days: days.id,
    responders,
    statuses: statuses.map(({ status }) => status),
    values: [id, alias, ...requests, mine.id, days.id, 'Blue days', 'Blue steps', 'Blue search'],
  };
}

describe('a key of team Blue that hands its alert over to team Red and names it wherever it may (K9)', () => {
  it('reads whom Red paged, and no rule, schedule, policy or other person of Red', async () => {
    const of = await red();
    const { scenario, team } = of;
    const blueTeam = await scenario.team('Blue', 'eve');
    const { apiKey } = await system.api.create<{ readonly apiKey: string }>('/v2/integrations', {
      type: 'API',
      name: 'Blue key',
      allowConfigurationAccess: true,
      ownerTeam: { id: blueTeam.id },
    });
    await system.settle();
    const blue = system.api.as(apiKey);
    const { days, id, responders, statuses, values } = await nameRed(blue, of);
    await system.mailed(scenario.address('ada'), 'Handed over');
    await system.mailed(scenario.address('eve'), 'Handed over');
    expect(responders).toEqual([{ type: 'team', id: blueTeam.id }]);
    expect(statuses).toEqual([
      expect.stringContaining('Unknown: schedule'),
      'Added team',
      expect.stringContaining('Unknown: escalation'),
    ]);
    const named = [...values, team.id, blueTeam.id, of.schedule.id, of.escalation.id, 'canary days', 'canary steps'];
    const rotationsOf = (schedule: string) => system.api.read<readonly Part[]>(`/v2/schedules/${schedule}/rotations`);
    const routing = await system.api.read<readonly Part[]>(`/v2/teams/${team.id}/routing-rules`);
    const turns = [...(await rotationsOf(of.schedule.id)), ...(await rotationsOf(days))];
    const parts = [...turns, ...routing].map((part) => part.id);
    const leaks: string[] = [];
    for (const { path } of READS)
      for (const asked of filled(path, named, parts))
        for (const text of await textsOf(apiKey, asked)) if (text.includes(CANARY)) leaks.push(`${asked}: ${text}`);
    expect(leaks).toEqual([]);
    const logs = await blue.read<readonly { readonly log: string }[]>(`/v2/alerts/${id}/logs?limit=100`);
    expect(logs.map(({ log }) => log)).toContain(`Paged ${scenario.address('ada')}: team [${scenario.name('Red')}].`);
    const whole = await system.api.read<readonly { readonly log: string }[]>(`/v2/alerts/${id}/logs?limit=100`);
    expect(whole.map(({ log }) => log).join(' ')).toContain(CANARY);
    await system.api.expect(200, 'DELETE', `/v2/teams/${team.id}`);
  });
});
