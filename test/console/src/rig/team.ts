import type { System } from '@tocsin/test-acceptance/system';
import type { Scenario } from '@tocsin/testkit';

/** A team on call with alerts in several states, which the pages show. */
export interface Team {
  /** The user on call. */
  readonly username: string;
  /** The id of an alert that pages them. */
  readonly alertId: string;
  readonly message: string;
  /** The id of a schedule with gaps, an override and forwarding, whose clocks change in the next two weeks. */
  readonly scheduleId: string;
  readonly scheduleName: string;
  /** The id of the escalation of the alerts. */
  readonly escalationId: string;
  readonly escalationName: string;
  /** The id of a policy that holds the notifications of alerts that are not in these tests. */
  readonly policyId: string;
  readonly policyName: string;
  readonly integrationId: string;
  readonly integrationName: string;
  readonly teamId: string;
  readonly teamName: string;
}

/** Makes a team of two, their schedule and escalation, and alerts. Takes the mail that it causes. */
export async function makeTeam(system: System): Promise<Team> {
  const scenario = system.scenario();
  await scenario.users('ada', 'grace');
  const { id: teamId } = await scenario.team('Payments', 'ada', 'grace');
  await scenario.schedule('Payments on call', { participants: ['ada', 'grace'] });
  await scenario.escalation('Payments', { delay: 0, to: { type: 'schedule', name: 'Payments on call' } });
  const [disk, queue, node] = ['disk', 'queue', 'node'].map((of) => scenario.name(of)) as [string, string, string];
  const message = `Disk full on ${scenario.name('db-1')}`;
  const responders = [scenario.responder('escalation', 'Payments')];
  const description = 'Writes fail since 00:00. The volume /var/lib/db has 12 KB left.';
  await scenario.alert({ alias: disk, message, priority: 'P1', responders, description, tags: ['database'] });
  await scenario.alert({ alias: queue, message: `Queue of ${scenario.name('mails')} grows`, priority: 'P3' });
  await scenario.alert({ alias: node, message: `Node ${scenario.name('n7')} is back`, priority: 'P5' });
  await system.mailed(scenario.address('ada'), message);
  await scenario.act(queue, 'acknowledge');
  await scenario.act(node, 'close');
  await system.settle();
  const { id: alertId } = await scenario.alertOf<{ readonly id: string }>(disk);
  const ownerTeam = { name: scenario.name('Payments') };
  const backup = { name: scenario.name('backup'), interval: 25, intervalUnit: 'hours', enabled: true, ownerTeam };
  await system.api.create('/v2/heartbeats', backup);
  const integrationName = scenario.name('Alertmanager');
  const integration = { type: 'Prometheus', name: integrationName, ownerTeam, tags: ['shop'] };
  const { id: integrationId } = await system.api.create('/v2/integrations', integration);
  const scheduleName = scenario.name('Nights');
  const scheduleId = await makeNights(system, scenario, scheduleName);
  const escalationName = scenario.name('Payments');
  const path = `/v2/escalations/${encodeURIComponent(escalationName)}?identifierType=name`;
  const { id: escalationId } = await system.api.read<{ readonly id: string }>(path);
  const policyName = scenario.name('Quiet');
  const { id: policyId } = await system.api.create('/v2/policies', {
    type: 'notification',
    name: policyName,
    filter: {
      type: 'match-all-conditions',
      conditions: [{ field: 'alias', operation: 'equals', expectedValue: scenario.name('none') }],
    },
    suppress: true,
    deduplicationAction: { deduplicationActionType: 'value-based', count: 3 },
  });
  return {
    username: scenario.address('ada'),
    alertId,
    message,
    scheduleId,
    scheduleName,
    escalationId,
    escalationName,
    policyId,
    policyName,
    integrationId,
    integrationName,
    teamId,
    teamName: scenario.name('Payments'),
  };
}

/** Makes a schedule of the nights of New York. */
async function makeNights(system: System, scenario: Scenario, name: string): Promise<string> {
  const [ada, grace] = [scenario.user('ada'), scenario.user('grace')];
  const { id } = await system.api.create('/v2/schedules', {
    name,
    timezone: 'America/New_York',
    ownerTeam: { name: scenario.name('Payments') },
    rotations: [
      {
        name: 'Nights',
        startDate: '2026-03-01T23:00:00Z',
        type: 'daily',
        participants: [ada, grace],
        timeRestriction: {
          type: 'time-of-day',
          restriction: { startHour: 18, startMin: 0, endHour: 8, endMin: 0 },
        },
      },
      {
        name: 'Second line',
        startDate: '2026-03-01T23:00:00Z',
        type: 'weekly',
        participants: [grace],
        endDate: '2026-03-09T13:00:00Z',
      },
    ],
  });
  const override = { user: ada, startDate: '2026-03-08T02:00:00Z', endDate: '2026-03-08T20:00:00Z' };
  await system.api.create(`/v2/schedules/${id}/overrides`, { alias: 'grace-is-away', ...override });
  const away = { startDate: '2026-03-11T00:00:00Z', endDate: '2026-03-12T00:00:00Z' };
  await system.api.create('/v2/forwarding-rules', { fromUser: grace, toUser: ada, ...away });
  return id;
}
