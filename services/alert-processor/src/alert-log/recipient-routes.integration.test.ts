import { describe, expect, it } from '@jest/globals';
import type { Decision } from '@tocsin/events';
import { setUp } from '../testing/component-fixture.ts';
import { acknowledge, byAlias, close, create } from '../testing/commands-samples.ts';

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 5, 8, 0, seconds)).toISOString();

const paged = (alertId: string, username: string, seconds: number): Decision => ({
  decisionId: `route:${alertId}:${username}`,
  alertId,
  stage: 'route',
  at: at(seconds),
  findings: [{ subject: 'page', outcome: 'paged', text: 'Paged.', facts: { userId: `id-of-${username}`, username } }],
});

const mailed = (alertId: string, username: string, seconds: number): Decision => ({
  decisionId: `deliver:${alertId}:${username}:1:sent`,
  alertId,
  stage: 'deliver',
  at: at(seconds),
  findings: [
    {
      subject: 'delivery',
      outcome: 'sent',
      text: 'The mail was handed over.',
      facts: { userId: `id-of-${username}`, username, method: 'email', to: `${username}@example.com` },
    },
  ],
});

describe('GET /v2/alerts/{identifier}/recipients', () => {
  async function open() {
    const component = await setUp();
    const command = create('disk');
    await component.apply(command);
    return { ...component, id: command.alert.alertId };
  }

  it('is empty before a user was reached', async () => {
    const { get, id } = await open();
    expect((await get(`/v2/alerts/${id}/recipients`)).body).toMatchObject({ data: [] });
  });

  it('lists which users were paged, notified and how, and which acted, in the order in which they were reached', async () => {
    const { get, id, record, apply } = await open();
    await record(mailed(id, 'grace', 3), paged(id, 'edsger', 4), paged(id, 'ada', 1), paged(id, 'grace', 2));
    await apply(acknowledge(byAlias('disk'), { actor: 'Ada', at: at(5) }));
    const answer = await get(`/v2/alerts/${id}/recipients`);
    expect(answer.status).toBe(200);
    expect((answer.body as { data: unknown }).data).toEqual([
      {
        user: { id: 'id-of-ada', username: 'ada' },
        state: 'action',
        method: 'Acknowledge',
        createdAt: '2026-01-05T08:00:01Z',
        updatedAt: '2026-01-05T08:00:05Z',
      },
      {
        user: { id: 'id-of-grace', username: 'grace' },
        state: 'active',
        method: 'email',
        createdAt: '2026-01-05T08:00:02Z',
        updatedAt: '2026-01-05T08:00:03Z',
      },
      {
        user: { id: 'id-of-edsger', username: 'edsger' },
        state: 'notactive',
        method: '',
        createdAt: '2026-01-05T08:00:04Z',
        updatedAt: '2026-01-05T08:00:04Z',
      },
    ]);
  });

  it('is the same when decisions come twice and in another order', async () => {
    const { get, id, record } = await open();
    const decisions = [paged(id, 'ada', 1), mailed(id, 'ada', 2)];
    await record(...decisions);
    const once = ((await get(`/v2/alerts/${id}/recipients`)).body as { data: unknown }).data;
    await record(...decisions.toReversed());
    expect((await get(`/v2/alerts/${id}/recipients`)).body).toMatchObject({ data: once });
  });

  it.each(['id', 'tiny', 'alias', 'AlertID', 'TINYID'])('finds the alert by %s', async (identifierType) => {
    const { get, id, record } = await open();
    await record(paged(id, 'ada', 1));
    const value = { id, alertid: id, tiny: '1', tinyid: '1', alias: 'disk' }[identifierType.toLowerCase()] ?? '';
    expect((await get(`/v2/alerts/${value}/recipients?identifierType=${identifierType}`)).body).toMatchObject({
      data: [{ user: { username: 'ada' } }],
    });
  });

  it('finds a closed alert by its id, but not by its alias', async () => {
    const { get, id, apply, record } = await open();
    await record(paged(id, 'ada', 1));
    await apply(close(byAlias('disk'), { actor: 'ada', at: at(9) }));
    expect((await get(`/v2/alerts/${id}/recipients`)).body).toMatchObject({ data: [{ method: 'Close' }] });
    expect((await get('/v2/alerts/disk/recipients?identifierType=alias')).status).toBe(404);
  });

  it('answers 404 for an alert that does not exist, or that a team key may not see (K4)', async () => {
    const { get, id } = await open();
    for (const answer of [
      await get('/v2/alerts/nothing/recipients'),
      await get(`/v2/alerts/${id}/recipients`, { teamId: 'red' }),
    ]) {
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ message: 'Alert does not exist' });
    }
  });

  it('refuses an unknown identifierType', async () => {
    const { get, id } = await open();
    const answer = await get(`/v2/alerts/${id}/recipients?identifierType=name`);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ errors: { identifierType: 'should be one of [ id, tiny, alias ]' } });
  });
});
