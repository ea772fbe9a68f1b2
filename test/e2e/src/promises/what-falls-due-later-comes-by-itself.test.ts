import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type Scenario } from '@tocsin/testkit';
import { useSystem } from '../system.ts';

/** The shortest delay, hold and interval that the API accepts is a minute; its effect may take another minute. */
const WITHIN = { timeoutMs: 150_000, everyMs: 500 };

const system = useSystem();
let scenario: Scenario;

beforeAll(async () => {
  scenario = system.scenario('later');
  await scenario.users('ada', 'grace', 'held', 'beat');
  await scenario.escalation(
    'Steps',
    { delay: 0, to: { type: 'user', name: 'ada' } },
    { delay: 1, to: { type: 'user', name: 'grace' } },
  );
});

const mailed = (name: string, words: string) => system.mailbox.received(scenario.address(name), words, WITHIN);

// Side by side, because they wait for real minutes.
describe('what falls due a minute later', () => {
  it.concurrent(
    'is the page of the next person of an escalation, but for an alert that a user acknowledged',
    async () => {
      const responders = [scenario.responder('escalation', 'Steps')];
      const [taken, unheard] = [scenario.name('taken'), scenario.name('unheard')];
      await scenario.alert({ alias: taken, message: 'A user acts', responders });
      await mailed('ada', 'A user acts');
      await scenario.act(taken, 'acknowledge', { user: scenario.address('ada') });
      await eventually(async () => {
        expect(await scenario.alertOf(taken)).toMatchObject({ acknowledged: true, owner: scenario.address('ada') });
      });
      await scenario.alert({ alias: unheard, message: 'No user acts', responders });
      await mailed('ada', 'No user acts');
      // The page about the one that was taken was due before; a mail about it would fail this file at its end.
      await mailed('grace', 'No user acts');
      await scenario.act(unheard, 'acknowledge', { user: scenario.address('grace') });
    },
  );

  it.concurrent('is the first page of an alert that a policy holds', async () => {
    await scenario.policy('Patience', {
      delayAction: { delayOption: 'for-duration', duration: { timeAmount: 1, timeUnit: 'minutes' } },
      filter: {
        type: 'match-all-conditions',
        conditions: [{ field: 'alias', operation: 'equals', expectedValue: scenario.name('held') }],
      },
    });
    const alias = scenario.name('held');
    await scenario.alert({ alias, message: 'Held for a minute', responders: [scenario.user('held')] });
    await eventually(async () => {
      expect(await scenario.logOf(alias)).toContain(`[${scenario.name('Patience')}]`);
    });
    expect(system.mailbox.unexpected().filter(({ subject }) => subject.includes('Held for a minute'))).toEqual([]);
    await mailed('held', 'Held for a minute');
  });

  it.concurrent(
    'is the alert of a heartbeat that fell silent, which pages its team, and which a ping closes',
    async () => {
      const team = await scenario.team('Backups', 'beat');
      const [rule] = await system.api.read<{ readonly id: string }[]>(`/v2/teams/${team.id}/routing-rules`);
      await scenario.escalation('Backups', { delay: 0, to: { type: 'user', name: 'beat' } });
      await system.api.expect(200, 'PATCH', `/v2/teams/${team.id}/routing-rules/${rule?.id ?? ''}`, {
        notify: { type: 'escalation', name: scenario.name('Backups') },
      });
      const name = scenario.name('nightly');
      await system.api.create('/v2/heartbeats', {
        name,
        interval: 1,
        intervalUnit: 'minutes',
        enabled: true,
        ownerTeam: { id: team.id },
        alertMessage: 'The nightly backup is silent',
      });
      const ping = () => system.api.expect(202, 'GET', `/v2/heartbeats/${encodeURIComponent(name)}/ping`);
      await ping();
      await mailed('beat', 'The nightly backup is silent');
      const { id } = await scenario.alertOf<{ readonly id: string }>(`heartbeat:${name}`);
      await ping();
      await eventually(async () => {
        expect(await system.api.read(`/v2/alerts/${id}`)).toMatchObject({ status: 'closed' });
      });
      await system.api.expect(200, 'DELETE', `/v2/heartbeats/${encodeURIComponent(name)}`);
    },
  );
});
