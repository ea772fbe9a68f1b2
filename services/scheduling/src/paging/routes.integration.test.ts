import { expect, it } from '@jest/globals';
import { testApp } from '../testing/app-fixture.ts';
import { escalationOf, ruleFor } from '../testing/on-call-samples.ts';
import { start } from '../testing/transition-samples.ts';

it('answers only services with the numbers of escalation states of open alerts and of overdue ones', async () => {
  const app = await testApp();
  expect(await app.get('/internal/ledger', { service: 'gateway' })).toMatchObject({
    status: 200,
    data: { runs: 7, overdue: 0 },
  });
  app.overdue.push({ alertId: 'a1', dueAt: app.clock.now() });
  expect((await app.get('/internal/ledger', { service: 'gateway' })).data).toEqual({ runs: 7, overdue: 1 });
  expect((await app.get('/internal/ledger')).status).toBe(403);
});

it('answers only services with the next page of an alert, and with none of an alert without a flow', async () => {
  const app = await testApp();
  const ask = (alertId: string) => app.post('/internal/next-page', { alertId }, { service: 'alert-processor' });
  expect(await ask('a1')).toMatchObject({ status: 200, data: {} });
  const rules = [ruleFor({ type: 'user', id: 'ada' }), ruleFor({ type: 'user', id: 'bob' }, { delayMinutes: 4 })];
  const { state } = start([{ type: 'escalation', id: 'e1' }], { escalations: [escalationOf('e1', rules)] });
  app.flows.set('a1', state);
  const next = {
    at: '2026-01-01T00:04:00.000Z',
    users: [{ id: 'bob', username: 'bob@example.com' }],
    why: 'rule 2 of escalation [e1]',
  };
  expect(await ask('a1')).toMatchObject({ status: 200, data: { next } });
  expect((await app.post('/internal/next-page', { alertId: 'a1' })).status).toBe(403);
});
