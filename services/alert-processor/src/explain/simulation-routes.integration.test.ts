import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { create } from '../testing/commands-samples.ts';
import { setUp, team } from '../testing/component-fixture.ts';

const PATH = '/v2/alerts/simulate';
const AT = '2026-01-05T23:30:00Z';
const EXACT = '2026-01-05T23:30:00.000Z';
const MESSAGE = {
  at: AT,
  userId: 'u-ada',
  username: 'ada',
  method: 'email',
  actionType: 'create-alert',
  why: 'responder user',
} as const;

async function open() {
  const component = await setUp();
  component.replicas.team.put('ops', team('ops', 'Ops'));
  const simulate = async (body: object) => {
    const answer = await component.send('post', PATH, body);
    return { status: answer.status, ...(answer.body as { data: Record<string, unknown> }) };
  };
  return { ...component, simulate };
}

const ALERT = { message: 'Disk full', responders: [{ type: 'team', name: 'Ops' }], at: AT };

describe('POST /v2/alerts/simulate', () => {
  it('says which users would be notified and when, for an alert in the body, and writes nothing', async () => {
    const { get, simulate, simulators } = await open();
    simulators.messages = [MESSAGE];
    const { data, status } = await simulate({ ...ALERT, priority: 'P1' });
    expect([status, data]).toEqual([
      200,
      {
        at: AT,
        outcome: 'paged',
        alert: { message: 'Disk full', alias: 'evaluated-alert', priority: 'P1' },
        messages: [
          {
            at: AT,
            user: { id: 'u-ada', username: 'ada' },
            method: 'email',
            actionType: 'create-alert',
            why: 'responder user',
          },
        ],
        steps: [{ at: AT, subject: 'page', outcome: 'paged', text: 'Paged.' }],
        truncated: false,
      },
    ]);
    expect(simulators.asked).toMatchObject([
      {
        acceptedAt: EXACT,
        content: { responders: [{ type: 'team', id: 'ops' }] },
        events: [{ at: EXACT, version: 1 }],
      },
    ]);
    expect((await get('/v2/alerts')).body).toMatchObject({ data: [] });
  });

  it('says for an existing alert what would happen if it were created again', async () => {
    const { apply, simulate, simulators } = await open();
    const command = create('disk', { alert: { responders: [{ type: 'team', id: 'ops' }] } });
    await apply(command);
    const { data } = await simulate({ identifier: 'disk', identifierType: 'alias' });
    expect(data).toMatchObject({ outcome: 'no-recipient', reason: 'No rule, schedule or step leads to a message.' });
    expect(simulators.asked).toMatchObject([{ alertId: command.alert.alertId }]);
  });

  it('says why no user would be notified', async () => {
    const { apply, simulate, simulators } = await open();
    expect((await simulate({ message: 'm' })).data).toMatchObject({
      outcome: 'no-recipient',
      reason: 'It has no responders.',
    });
    await apply(create('disk'));
    expect((await simulate({ ...ALERT, alias: 'disk' })).data).toMatchObject({
      outcome: 'repeated',
      reason: 'It would count on the open alert #1, and no user is notified of repeats.',
    });
    expect(simulators.asked).toEqual([]);
  });

  it.each([
    [{ message: '' }, 422],
    [{ message: 'm', at: 'tomorrow' }, 422],
    [{ identifier: 'nothing' }, 404],
  ])('refuses %j with %d', async (body, status) => {
    expect((await (await open()).simulate(body)).status).toBe(status);
  });

  it('passes a draft of an escalation on, with its recipients by id', async () => {
    const { simulate, simulators } = await open();
    const rules = [{ delay: 5, notifyType: 'all', recipient: { type: 'team', name: 'Ops' } }];
    const repeat = { waitInterval: 10, count: 2 };
    expect((await simulate({ ...ALERT, escalation: { id: 'e1', rules, repeat } })).status).toBe(200);
    const rule = {
      condition: 'if-not-acked',
      delayMinutes: 5,
      notifyType: 'all',
      recipient: { type: 'team', id: 'ops' },
    };
    expect(simulators.asked.map(({ escalation }) => escalation)).toEqual([
      {
        id: 'e1',
        rules: [rule],
        repeat: { waitMinutes: 10, count: 2, resetRecipientStates: false, closeAlertAfterAll: false },
      },
    ]);
  });

  it.each([
    [[{ delay: 5, recipient: { type: 'team', name: 'Unknown' } }], 404],
    [[{ delay: 5, recipient: { type: 'none' } }], 422],
    [[], 422],
  ])('refuses a draft of an escalation with the rules %j with %d', async (rules, status) => {
    expect((await (await open()).simulate({ ...ALERT, escalation: { id: 'e1', rules } })).status).toBe(status);
  });

  it('is refused to the key of a team, because it reveals things of other teams', async () => {
    const { send } = await open();
    expect((await send('post', PATH, ALERT, { teamId: 'ops' })).status).toBe(403);
  });

  it('answers 503 while scheduling cannot be asked', async () => {
    const { simulate, simulators } = await open();
    simulators.refusal = new UnavailableError('unavailable');
    expect((await simulate(ALERT)).status).toBe(503);
  });
});
