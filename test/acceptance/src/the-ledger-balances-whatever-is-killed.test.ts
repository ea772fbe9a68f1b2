import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServiceName } from '@tocsin/events';
import { eventually, type Mailbox, Scenario, startMailbox } from '@tocsin/testkit';
import { Api } from './system/api.ts';
import { newInstallation } from './system/installation.ts';
import { Ledger, type Reconciliation } from './system/ledger.ts';
import type { ServiceProcess } from './system/service-process.ts';
import { processesOf } from './system/service-processes.ts';

const VICTIMS: readonly ServiceName[] = ['alert-ingest', 'alert-processor', 'scheduling', 'notifier'];
const ALERTS_PER_ROUND = 6;

let mailbox: Mailbox;
let scenario: Scenario;
let ledger: Ledger;
let services: readonly ServiceProcess[] = [];

beforeAll(async () => {
  mailbox = await startMailbox();
  const installation = await newInstallation(mailbox.url, 'fatal');
  services = await processesOf(installation);
  await Promise.all(services.map((service) => service.start()));
  ledger = new Ledger(installation);
  scenario = new Scenario(new Api(installation.gatewayUrl), 'ledger.example.com', new Date());
  await scenario.users('ada');
  await scenario.escalation('Ada', { delay: 0, to: { type: 'user', name: 'ada' } });
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await mailbox.stop();
});

/** As a client does it: again and again until it is accepted; the alias folds what was accepted unseen. */
const create = (alias: string) =>
  eventually(() => scenario.alert({ alias, message: alias, responders: [scenario.responder('escalation', 'Ada')] }), {
    everyMs: 200,
  });

describe('the ledger', () => {
  it('balances after each service was killed in the middle of its work, and counts every alert', async () => {
    let created = 0;
    for (const name of VICTIMS) {
      const victim = services.find((service) => service.name === name);
      const aliases = Array.from({ length: ALERTS_PER_ROUND }, (_, index) => `${name}-${index}`);
      const before = aliases.slice(0, 3).map(create);
      await before[0];
      await victim?.kill();
      const during = aliases.slice(3).map(create);
      await victim?.start();
      await Promise.all([...before, ...during]);
      created += aliases.length;
    }
    // The last commands of the killed alert-ingest were processed like all others, but no process reported their numbers as owed.
    const said = created - ALERTS_PER_ROUND;
    await eventually(
      async () => {
        const { said: answer, code } = await ledger.run('--json');
        const reconciliation = JSON.parse(answer) as Reconciliation;
        expect(reconciliation).toMatchObject({
          commands: { lost: 0, waiting: 0 },
          flows: { runs: created, overdue: 0 },
          messages: { waiting: 0, sent: created, undelivered: 0 },
          balances: true,
        });
        expect(reconciliation.commands.accepted).toBeGreaterThanOrEqual(said);
        expect(code).toBe(0);
      },
      { everyMs: 2_000 },
    );
    const table = await ledger.run();
    expect(table.code).toBe(0);
    expect(table.said).toContain('The ledger balances.');
  });

  it('names the services that could not be asked, and ends with 3', async () => {
    const scheduling = services.find(({ name }) => name === 'scheduling');
    await scheduling?.kill();
    const { code, complained } = await ledger.run();
    await scheduling?.start();
    expect(code).toBe(3);
    expect(complained).toContain('scheduling at ');
  });
});
