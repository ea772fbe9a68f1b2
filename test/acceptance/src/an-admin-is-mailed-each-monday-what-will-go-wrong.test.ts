import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, type Scenario } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const system = useSystem({ PUBLIC_URL: 'https://tocsin.example.com' });
let scenario: Scenario;
let mailPath: string;
const REPORTED = { timeoutMs: 60_000, everyMs: 1_000 };

/** Ada administers team Solo, which owns a schedule without a rotation. */
beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada', 'bob');
  const { id } = await system.api.create<{ readonly id: string }>('/v2/teams', {
    name: scenario.name('Solo'),
    members: [
      { user: { username: scenario.address('ada') }, role: 'admin' },
      { user: { username: scenario.address('bob') } },
    ],
  });
  await system.api.create('/v2/schedules', { name: scenario.name('Empty'), ownerTeam: { id } });
  mailPath = `/v2/users/${scenario.address('ada')}/readiness-mail`;
});

/** Orders the mail of Ada, and returns when it is due: next Monday at 09:00 in Berlin. */
async function ordered(): Promise<Date> {
  await system.api.expect(200, 'PATCH', `/v2/users/${scenario.address('ada')}`, { timeZone: 'Europe/Berlin' });
  await system.settle();
  const { nextAt } = await system.api.create<{ readonly nextAt: string }>(mailPath, {});
  return new Date(nextAt);
}

const wallTime = (instant: Date): string =>
  instant.toLocaleString('en-GB', { timeZone: 'Europe/Berlin', weekday: 'long', hour: '2-digit', minute: '2-digit' });
const before = (instant: Date): string => new Date(instant.getTime() - 1_000).toISOString();

describe('the weekly mail of readiness (U23)', () => {
  it('comes once, on Monday at nine in the zone of its user, with what each finding costs and the page of the console', async () => {
    const due = await ordered();
    expect(wallTime(due)).toMatch(/^Monday.* 09:00$/);
    await system.until(before(due));
    expect(system.mailbox.unexpected()).toEqual([]);
    await system.until(due.toISOString());
    const mail = await system.mailbox.received(scenario.address('ada'), 'Readiness');
    expect(mail.text).toContain(`No user is on call in schedule [${scenario.name('Empty')}]`);
    expect(mail.text).toContain('reaches no user by this schedule');
    expect(mail.text).toContain('https://tocsin.example.com/console/readiness');
    const { data } = (await system.api.expect(200, 'GET', mailPath)).body as { data: { nextAt: string } };
    const week = new Date(data.nextAt);
    expect([wallTime(week), week > due]).toEqual([expect.stringMatching(/^Monday.* 09:00$/), true]);
    await system.api.expect(200, 'DELETE', mailPath);
    await system.until(week.toISOString());
  });

  it('comes once where scheduling is unavailable at its time', async () => {
    const due = await ordered();
    await system.without('scheduling', () => system.until(due.toISOString()));
    await system.mailed(scenario.address('ada'), 'Readiness');
    await system.pass(60);
    await system.api.expect(200, 'DELETE', mailPath);
  });

  it('does not come to a user who lost the rights, is blocked, or is deleted', async () => {
    for (const change of ['rights', 'block', 'delete']) {
      const due = await ordered();
      const user = `/v2/users/${scenario.address('ada')}`;
      if (change === 'rights') {
        await system.api.expect(200, 'PATCH', `/v2/teams/${scenario.name('Solo')}?identifierType=name`, {
          members: [{ user: { username: scenario.address('ada') }, role: 'user' }],
        });
      } else if (change === 'block') await system.api.expect(200, 'PATCH', user, { blocked: true });
      else {
        await system.api.expect(200, 'DELETE', `/v2/teams/${scenario.name('Solo')}?identifierType=name`);
        await system.api.expect(200, 'DELETE', user);
      }
      // Scheduling knows of the change.
      await system.settle();
      await system.until(due.toISOString());
    }
    expect(system.mailbox.unexpected()).toEqual([]);
  });
});

describe('readiness (S17)', () => {
  it('names an integration whose alerts are refused, which alert-ingest knows, and no longer after one is accepted', async () => {
    const ownerTeam = { name: scenario.name('Solo') };
    const { apiKey, id } = await system.api.create<{ readonly id: string; readonly apiKey: string }>(
      '/v2/integrations',
      { name: scenario.name('Prometheus'), type: 'Prometheus', ownerTeam },
    );
    await system.settle();
    const sender = system.api.as(apiKey);
    const refusedIds = async () => {
      await system.pass(1);
      const { body } = await system.api.expect(200, 'GET', '/v2/readiness?kind=integration-refused');
      expect(body['incompleteServices']).toEqual([]);
      return (body['data'] as { readonly entity: { readonly id: string } }[]).map(({ entity }) => entity.id);
    };
    await sender.expect(422, 'POST', '/v2/alerts', {});
    // Gateways report what they count every few seconds.
    await eventually(async () => {
      expect(await refusedIds()).toEqual([id]);
    }, REPORTED);
    const alias = scenario.name('works');
    await sender.expect(202, 'POST', '/v2/alerts', { message: 'It works', alias, responders: [scenario.user('bob')] });
    await system.mailed(scenario.address('ada'), 'It works');
    await system.mailed(scenario.address('bob'), 'It works');
    await sender.expect(202, 'POST', `/v2/alerts/${encodeURIComponent(alias)}/close?identifierType=alias`, {});
    await eventually(async () => {
      expect(await refusedIds()).toEqual([]);
    }, REPORTED);
  });

  it('names a policy that suppresses every page, which alert-processor knows', async () => {
    const { id } = await system.api.create<{ readonly id: string }>('/v2/policies', {
      type: 'notification',
      name: scenario.name('Quiet'),
      enabled: true,
      suppress: true,
      filter: { type: 'match-all' },
    });
    await system.pass(1);
    const { body } = await system.api.expect(200, 'GET', '/v2/readiness?kind=policy-suppresses-all');
    expect(body).toMatchObject({ incompleteServices: [], data: [{ entity: { type: 'policy', id } }] });
    await system.api.expect(200, 'DELETE', `/v2/policies/${id}`);
  });

  it('names alert-ingest where that does not answer', async () => {
    await system.without('alert-ingest', async () => {
      await system.pass(1);
      const { body } = await system.api.expect(200, 'GET', '/v2/readiness');
      expect(body).toMatchObject({ incompleteServices: ['alert-ingest'] });
    });
  });
});
