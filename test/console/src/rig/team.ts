import type { System } from '@tocsin/test-acceptance/system';

/** A team on call with alerts in several states, which the pages show. */
export interface Team {
  /** Who is on call. */
  readonly username: string;
  /** The id of an alert that pages them. */
  readonly alertId: string;
  readonly message: string;
}

/** Makes a team of two, their schedule and escalation, and alerts. Takes the mail that it causes. */
export async function makeTeam(system: System): Promise<Team> {
  const scenario = system.scenario();
  await scenario.users('ada', 'grace');
  await scenario.team('Payments', 'ada', 'grace');
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
  return { username: scenario.address('ada'), alertId, message };
}
