import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type Scenario } from '@tocsin/testkit';
import { useSystem } from '../system.ts';

const system = useSystem();
let scenario: Scenario;

beforeAll(() => {
  scenario = system.scenario('first');
});

describe('a new installation', () => {
  it('pages who is on call for a team with the schedule and the escalation that the team came with', async () => {
    await scenario.users('ada', 'grace');
    await scenario.team('Ops', 'ada', 'grace');
    const schedule = encodeURIComponent(`${scenario.name('Ops')}_schedule`);
    await system.api.create(`/v2/schedules/${schedule}/rotations?scheduleIdentifierType=name`, {
      type: 'weekly',
      startDate: new Date(Date.now() - 86_400_000).toISOString(),
      participants: [scenario.user('ada')],
    });
    const alias = scenario.name('disk');
    const requestId = await scenario.alert({
      alias,
      message: 'Disk full on db-1',
      priority: 'P1',
      responders: [scenario.responder('team', 'Ops')],
    });

    await system.mailbox.received(scenario.address('ada'), 'Disk full on db-1');
    expect(await system.api.read(`/v2/alerts/requests/${requestId}`)).toMatchObject({ success: true, alias });
    await eventually(async () => {
      expect(await scenario.logOf(alias)).toContain(scenario.address('ada'));
    });
    await scenario.act(alias, 'close');
    await eventually(async () => {
      const closed = encodeURIComponent(`alias:"${alias}"`);
      expect(await system.api.read(`/v2/alerts?query=${closed}`)).toMatchObject([{ status: 'closed' }]);
    });
  });

  it('serves the console, with the files that its page names', async () => {
    const page = await system.api.file('/console/');
    expect(page).toMatchObject({ status: 200, type: expect.stringContaining('text/html') });
    const files = [...page.text.matchAll(/(?:src|href)="(\/console\/assets\/[^"]*)"/g)].map(([, name = '']) => name);
    expect(files.map((name) => name.replace(/^.*\./, ''))).toEqual(expect.arrayContaining(['js', 'css']));
    for (const name of files) expect(await system.api.file(name)).toMatchObject({ status: 200 });
    expect(await system.api.file('/console/assets/none.js')).toMatchObject({ status: 404 });
  });

  it('shows its API to each reader of its page', async () => {
    const page = await system.api.file('/docs');
    expect(page).toMatchObject({ status: 200, type: expect.stringContaining('text/html') });
    const scripts = [...page.text.matchAll(/src="([^"]*)"/g)].map(([, src = '']) => src);
    expect(scripts).not.toEqual([]);
    for (const script of scripts)
      expect(await system.api.file(script)).toMatchObject({ status: 200, type: expect.stringContaining('javascript') });
    const description = await system.api.file('/openapi.json');
    expect(JSON.parse(description.text)).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
  });
});
