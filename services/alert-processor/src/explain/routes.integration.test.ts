import { describe, expect, it } from '@jest/globals';
import type { Decision } from '@tocsin/events';
import { setUp, type Component } from '../testing/component-fixture.ts';
import { acknowledge, byAlias, create } from '../testing/commands-samples.ts';

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 5, 8, 0, seconds)).toISOString();

const routed = (alertId: string): Decision => ({
  decisionId: 'route:1',
  alertId,
  stage: 'route',
  at: at(1),
  findings: [
    { subject: 'on-call', outcome: 'found', text: 'ada is on call.', facts: { branch: 'schedule:s' } },
    { subject: 'page', outcome: 'paged', text: 'Paged ada.', facts: { userId: 'u-ada', username: 'ada' } },
  ],
});

const mailed = (alertId: string): Decision => ({
  decisionId: 'deliver:1',
  alertId,
  stage: 'deliver',
  at: at(2),
  findings: [
    {
      subject: 'delivery',
      outcome: 'sent',
      text: 'The mail to ada was handed over: 250 OK.',
      facts: { userId: 'u-ada', username: 'ada', method: 'email', to: 'ada@example.com', deliveryId: 'm1' },
    },
  ],
});

async function open(): Promise<Component & { readonly path: string; readonly id: string }> {
  const component = await setUp();
  const command = { ...create('disk'), matchedAction: 'Disks' };
  await component.apply(command);
  const id = command.alert.alertId;
  return { ...component, id, path: `/v2/alerts/${id}/explanation` };
}

const dataOf = ({ body }: { body: unknown }) => (body as { data: Record<string, unknown[]> }).data;

describe('GET /v2/alerts/{identifier}/explanation', () => {
  it('says which users were notified and why, from the action of the integration to the answer of the provider', async () => {
    const { get, id, path, record, apply } = await open();
    await record(mailed(id), routed(id));
    await apply(acknowledge(byAlias('disk'), { actor: 'Ada', at: at(5) }));
    const answer = await get(path);
    expect(answer.status).toBe(200);
    const { steps, users, ...rest } = dataOf(answer);
    expect(rest).toEqual({ alert: { id, tinyId: '1', message: expect.any(String) }, truncated: false });
    expect(users).toEqual([
      {
        user: { id: 'u-ada', username: 'ada' },
        outcome: 'notified',
        reason: 'The mail to ada was handed over: 250 OK.',
      },
    ]);
    expect(steps).toMatchObject([
      { stage: 'ingest', subject: 'integration-action', outcome: 'matched', facts: { action: 'Disks' } },
      { stage: 'route', subject: 'on-call', text: 'ada is on call.' },
      { stage: 'route', subject: 'page', outcome: 'paged' },
      { stage: 'deliver', subject: 'delivery', outcome: 'sent', facts: { method: 'email' } },
      { stage: 'action', subject: 'Acknowledge', outcome: 'done', actor: 'Ada' },
    ]);
  });

  it('never shows addresses of contacts', async () => {
    const { get, id, path, record } = await open();
    await record(mailed(id));
    expect(JSON.stringify(dataOf(await get(path)))).not.toContain('ada@example.com');
  });

  it('for a user, by id or user name in any case, is about them alone, even if they are deleted', async () => {
    const { get, id, path, record } = await open();
    await record(routed(id));
    for (const user of ['u-ada', 'ada', 'ADA'])
      expect(dataOf(await get(`${path}?user=${user}`))['users']).toMatchObject([{ user: { id: 'u-ada' } }]);
  });

  it('for a user who was not paged says why not', async () => {
    const { get, id, path, record, replicas } = await open();
    replicas.user.put('u-grace', { id: 'u-grace', username: 'grace' } as never);
    await record(routed(id));
    const { users } = dataOf(await get(`${path}?user=Grace`));
    expect(users).toEqual([
      {
        user: { id: 'u-grace', username: 'grace' },
        outcome: 'not-paged',
        reason: 'Nothing that this alert has reached leads to grace.',
      },
    ]);
  });

  it('for a user whom the part of a long log that was read does not name is incomplete', async () => {
    const { get, id, path, record, replicas } = await open();
    replicas.user.put('u-grace', { id: 'u-grace', username: 'grace' } as never);
    const finding = { subject: 'on-call', outcome: 'found', text: 'ada is on call.' };
    for (let part = 0; part < 20; part += 1)
      await record({
        ...routed(id),
        decisionId: `route:${String(part)}`,
        findings: Array.from({ length: 100 }, () => finding),
      });
    expect(dataOf(await get(`${path}?user=grace`))).toMatchObject({
      users: [{ user: { id: 'u-grace' }, outcome: 'incomplete' }],
      truncated: true,
    });
  });

  it('answers 404 for an alert or a user that does not exist, and 422 for a name that is too long', async () => {
    const { get, path } = await open();
    expect((await get('/v2/alerts/nothing/explanation')).status).toBe(404);
    expect(await get(`${path}?user=missing`)).toMatchObject({ status: 404, body: { message: 'User does not exist' } });
    const long = await get(`${path}?user=${'x'.repeat(101)}`);
    expect(long).toMatchObject({ status: 422, body: { errors: { user: 'should have at most 100 characters' } } });
  });

  it('shows nothing about an unrecorded user to a key that may not read users', async () => {
    const { get, path, replicas } = await open();
    replicas.user.put('u-grace', { id: 'u-grace', username: 'grace' } as never);
    for (const user of ['grace', 'u-grace', 'missing'])
      expect(dataOf(await get(`${path}?user=${user}`, { mayConfigure: false }))['users']).toMatchObject([
        { user: { id: user, username: user }, outcome: 'not-paged' },
      ]);
  });

  it('answers 404 to the key of a team that may not see the alert', async () => {
    const { get, path } = await open();
    expect((await get(path, { teamId: 'other' })).status).toBe(404);
  });
});

describe('GET /v2/alerts/{identifier}/next-page', () => {
  const next = {
    at: at(300),
    users: [{ id: 'u-grace', username: 'grace' }],
    why: 'rule 2 of escalation [Ops]',
  };

  it('says when the alert next pages users, whom, and by what', async () => {
    const { get, path, simulators } = await open();
    const ask = async () => (await get(path.replace('explanation', 'next-page'))).body as unknown;
    expect(await ask()).toMatchObject({ data: { state: 'none', users: [], text: 'The alert has no responders.' } });
    simulators.next.scheduling = next;
    expect(await ask()).toMatchObject({
      data: {
        state: 'due',
        at: '2026-01-05T08:05:00Z',
        users: [{ id: 'u-grace', username: 'grace' }],
        text: 'To grace: rule 2 of escalation [Ops].',
      },
    });
    simulators.next.notifier = 'unavailable';
    expect(await ask()).toMatchObject({ data: { state: 'unknown', users: [] } });
  });

  it('is 404 for an alert that does not exist, and 403 to the key of a team', async () => {
    const { get, path } = await open();
    expect((await get('/v2/alerts/nothing/next-page')).status).toBe(404);
    expect((await get(path.replace('explanation', 'next-page'), { teamId: 'other' })).status).toBe(403);
  });
});
