import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import type { Policy } from './policy.ts';
import { byAlias, close, create } from '../testing/commands-samples.ts';
import { setUp, team } from '../testing/component-fixture.ts';
import { condition, modifies, notifies } from '../testing/policy-rules-samples.ts';
import { aMaintenance, anIntegration, disabledIntegration } from '../testing/maintenance-samples.ts';

const PATH = '/v2/policies/evaluate';
const minutes = (timeAmount: number) => ({ timeAmount, timeUnit: 'minutes' }) as const;
const suppress = { suppress: true };
const delay = { delay: { option: 'for-duration', duration: minutes(10) } } as const;
const everything = {
  ...delay,
  deduplication: { type: 'frequency-based', count: 3, duration: minutes(5) },
  autoClose: { duration: minutes(60) },
  autoRestart: { duration: minutes(2), maxRepeatCount: 4 },
} as const;
const onMessage = (text: string) => ({ filter: { conditions: [condition('message', 'contains', text)] } });

interface Data {
  readonly outcome: string;
  readonly alert: Readonly<Record<string, unknown>>;
  readonly flow?: Readonly<Record<string, unknown>>;
  readonly policies: readonly object[];
}
const dataOf = ({ body }: Response) => (body as { data: Data }).data;

/** The service with these policies, in this order. */
async function serviceWith(...policies: readonly Policy[]) {
  const service = await setUp();
  const put = policies.map((policy, order) => ({ ...policy, order }));
  await service.configuration.change(() => ({ policies: { put }, answer: undefined }));
  const evaluate = (body: object, principal: object = {}) => service.send('post', PATH, body, principal);
  return { ...service, evaluate };
}

describe('POST /v2/policies/evaluate', () => {
  it('says which policies match, why the others do not, and what the alert becomes', async () => {
    const { evaluate } = await serviceWith(
      modifies('Tidy', { message: '{{message.toUpperCase()}}', tags: ['tidy'] }),
      modifies('Late', {}),
      notifies('Elsewhere', suppress, onMessage('db')),
      notifies('Wait', everything),
    );
    const answer = await evaluate({ message: 'Disk full', alias: 'disk' });
    expect(answer.status).toBe(200);
    expect(dataOf(answer)).toEqual({
      at: '2026-01-05T08:00:01Z',
      outcome: 'created',
      alert: {
        message: 'DISK FULL',
        alias: 'disk',
        description: '',
        entity: '',
        source: expect.any(String),
        priority: 'P3',
        actions: [],
        tags: ['tidy'],
        details: {},
        responders: [],
        visibleTo: [],
      },
      flow: {
        starts: 'later',
        startsAt: '2026-01-05T08:10:01Z',
        policy: '[Wait]',
        autoClose: { at: '2026-01-05T09:00:01Z', policy: '[Wait]' },
        autoRestart: { everySeconds: 120, maxRepeatCount: 4, policy: '[Wait]' },
      },
      policies: [
        {
          id: 'Tidy',
          name: 'Tidy',
          type: 'alert',
          matched: true,
          changes: [
            { field: 'message', from: 'Disk full', to: 'DISK FULL' },
            { field: 'tags', from: '', to: 'tidy' },
          ],
          text: '[Tidy] changed message from [Disk full] to [DISK FULL], tags from [] to [tidy]',
        },
        {
          id: 'Late',
          name: 'Late',
          type: 'alert',
          matched: false,
          reason: 'stopped',
          text: 'is not tried after [Tidy]',
        },
        {
          id: 'Elsewhere',
          name: 'Elsewhere',
          type: 'notification',
          matched: false,
          reason: 'conditions',
          expectedValue: 'db',
          text: 'does not match: message contains […], met [DISK FULL]',
        },
        {
          id: 'Wait',
          name: 'Wait',
          type: 'notification',
          matched: true,
          effects: ['delay', 'autoClose', 'autoRestart'],
          text: '[Wait] holds notifications until 2026-01-05T08:10:01Z, closes the alert after 60 minutes, restarts notifications every 2 minutes, 4 times at most',
        },
      ],
      otherPolicies: { matched: 0, notMatched: 0 },
    });
  });

  it.each([
    ['at once', [], { starts: 'at-once', startsAt: '2026-01-05T08:00:01Z' }],
    [
      'never',
      [notifies('Quiet', suppress)],
      { starts: 'never', suppressed: 'Policy [Quiet] suppresses notifications' },
    ],
    [
      'by an occurrence',
      [notifies('Count', { deduplication: { type: 'value-based', count: 3 } })],
      { starts: 'by-occurrence', occurrence: 3, policy: '[Count]' },
    ],
    [
      'by an occurrence within a duration',
      [notifies('Count', { deduplication: everything.deduplication })],
      { starts: 'by-occurrence', occurrence: 3, withinSeconds: 300, policy: '[Count]' },
    ],
  ])('says that the flow would start %s', async (_, policies, flow) => {
    const { evaluate } = await serviceWith(...policies);
    expect(dataOf(await evaluate({ message: 'Disk full' })).flow).toEqual(flow);
  });

  it('applies policies as of the requested moment', async () => {
    const restriction = { startHour: 22, startMin: 0, endHour: 6, endMin: 0 };
    const { evaluate } = await serviceWith(
      notifies('Nights', suppress, { timeRestriction: { type: 'time-of-day', restriction } }),
    );
    const startsAt = async (at: string) => dataOf(await evaluate({ message: 'Disk full', at })).flow?.['starts'];
    expect(await startsAt('2026-03-02T20:59:00Z')).toBe('at-once');
    // 22:00 in the account's time zone.
    expect(await startsAt('2026-03-02T21:00:00Z')).toBe('never');
  });

  it('names the window that drops the create, and the integration', async () => {
    const service = await serviceWith(notifies('Quiet', suppress));
    service.integrations.put('web', { ...anIntegration('web'), name: 'Web' });
    const window = aMaintenance({
      startsAt: new Date('2026-01-05T00:00:00Z'),
      endsAt: undefined,
      rules: [disabledIntegration('web')],
    });
    await service.configuration.change(() => ({ maintenances: { put: [window] }, answer: undefined }));
    expect(dataOf(await service.evaluate({ message: 'x' })).outcome).toBe('created');
    expect(dataOf(await service.evaluate({ message: 'x', integrationId: 'web' }))).toMatchObject({
      outcome: 'dropped',
      status: 'Ignored by maintenance [Deploy] of integration [Web].',
      policies: [],
    });
  });

  it('says that an integration suppresses notifications', async () => {
    const service = await serviceWith();
    service.integrations.put('web', { ...anIntegration('web'), name: 'Web', suppressNotifications: true });
    expect(dataOf(await service.evaluate({ message: 'x', integrationId: 'web' })).flow).toEqual({
      starts: 'never',
      suppressed: 'Integration [Web] suppresses notifications',
    });
  });

  it('names the open alert on which the create would count, by the alias after the policies', async () => {
    const { evaluate, apply } = await serviceWith(modifies('One', { alias: 'one' }, onMessage('Disk')));
    await apply(create('one', { alert: { message: 'open' } }));
    expect(dataOf(await evaluate({ message: 'Disk full', alias: 'disk' }))).toMatchObject({
      outcome: 'repeated',
      repeats: { alias: 'one', tinyId: '1' },
    });
    await apply(close(byAlias('one')));
    expect(dataOf(await evaluate({ message: 'Disk full', alias: 'disk' })).outcome).toBe('created');
  });

  it('finds responders by their names', async () => {
    const filter = { conditions: [condition('teams', 'contains', 'Operations')] };
    const { evaluate, replicas } = await serviceWith(notifies('Quiet', suppress, { filter }));
    replicas.team.put('ops', team('ops', 'Operations'));
    const { flow } = dataOf(await evaluate({ message: 'x', responders: [{ type: 'team', id: 'ops' }] }));
    expect(flow?.['starts']).toBe('never');
  });

  it('writes nothing', async () => {
    const { evaluate, get, configuration } = await serviceWith(modifies('Tidy', { tags: ['x'] }));
    const before = await configuration.current();
    await evaluate({ message: 'Disk full', alias: 'disk' });
    expect((await get('/v2/alerts/disk?identifierType=alias')).status).toBe(404);
    expect(await configuration.current()).toBe(before);
  });
});

describe('POST /v2/policies/evaluate of an existing alert', () => {
  const processed = async (...policies: readonly Policy[]) => {
    const service = await serviceWith(...policies);
    const command = create('disk', { alert: { responders: [{ type: 'team', id: 'ops' }] } });
    service.replicas.team.put('ops', team('ops', 'Operations'));
    await service.apply(command);
    return { ...service, id: command.alert.alertId };
  };

  it.each([
    ['its id', (id: string) => ({ alertId: id })],
    ['an identifier', (id: string) => ({ identifier: id })],
    ['its alias', () => ({ identifier: 'disk', identifierType: 'alias' })],
    ['its tiny id', () => ({ identifier: '1', identifierType: 'tiny' })],
  ])('applies the policies anew, as if it were created now, by %s', async (_, body) => {
    const { evaluate, id } = await processed();
    expect(dataOf(await evaluate(body(id)))).toMatchObject({
      outcome: 'created',
      alert: { alias: 'disk', message: 'Disk full', responders: [{ type: 'team', id: 'ops' }] },
      policies: [],
    });
  });

  it('is allowed to the key of a team that sees it, and answers 404 to any other (K4)', async () => {
    const { evaluate, id } = await processed(notifies('Quiet', suppress, { teamId: 'ops' }));
    expect(dataOf(await evaluate({ alertId: id }, { teamId: 'ops' })).flow?.['starts']).toBe('never');
    expect(await evaluate({ alertId: id }, { teamId: 'web' })).toMatchObject({
      status: 404,
      body: { message: 'Alert does not exist' },
    });
  });

  it('answers 404 for one that does not exist', async () => {
    const { evaluate } = await serviceWith();
    expect((await evaluate({ alertId: 'missing' })).status).toBe(404);
  });
});

describe('access to the evaluation of policies', () => {
  it('a key that may not write may, one that may not read configuration may not (K3)', async () => {
    const { evaluate } = await serviceWith();
    expect((await evaluate({ message: 'x' }, { mayWrite: false })).status).toBe(200);
    expect((await evaluate({ message: 'x' }, { mayConfigure: false })).status).toBe(403);
  });

  it('the key of a team asks as that team: its alerts go to the team, and its policies are for them', async () => {
    const { evaluate } = await serviceWith(notifies('Quiet', suppress, { teamId: 'ops' }));
    const body = { message: 'x', responders: [{ type: 'user', id: 'ada' }] };
    expect(dataOf(await evaluate(body, { teamId: 'ops' }))).toMatchObject({
      alert: { responders: [{ type: 'team', id: 'ops' }] },
      flow: { starts: 'never' },
    });
    expect(dataOf(await evaluate(body, { teamId: 'web' }))).toMatchObject({
      flow: { starts: 'at-once' },
      policies: [],
    });
  });

  it('the key of a team may name the integrations of its team alone (K4)', async () => {
    const { evaluate, integrations } = await serviceWith();
    integrations.put('own', { ...anIntegration('own'), ownerTeamId: 'ops' });
    integrations.put('other', { ...anIntegration('other'), ownerTeamId: 'web' });
    integrations.put('account', anIntegration('account'));
    const asked = (integrationId: string) => evaluate({ message: 'x', integrationId }, { teamId: 'ops' });
    const answers = await Promise.all(['own', 'other', 'account', 'none'].map(asked));
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 403, 404]);
  });

  it.each([
    [{}, 'message'],
    [{ message: 'x'.repeat(131) }, 'message'],
    [{ message: 'x', priority: 'P6' }, 'priority'],
    [{ message: 'x', at: 'today' }, 'at'],
    [{ alertId: 'x', at: '1066-10-14T09:00:00Z' }, 'at'],
    [{ identifier: 'x', identifierType: 'name' }, 'identifierType'],
    [{ alertId: 'x'.repeat(513) }, 'alertId'],
  ])('%j is refused by its field', async (body, field) => {
    const { evaluate } = await serviceWith();
    const answer = await evaluate(body);
    expect(answer.status).toBe(422);
    expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([field]);
  });

  it('more than fifty responders and teams together are refused (A10)', async () => {
    const { evaluate } = await serviceWith();
    const many = (type: string, count: number) =>
      Array.from({ length: count }, (_, id) => ({ type, id: `${type}-${id}` }));
    const asked = (count: number) =>
      evaluate({ message: 'x', responders: many('user', 50), teams: many('team', count) });
    expect((await asked(0)).status).toBe(200);
    expect((await asked(1)).status).toBe(422);
  });
});
