import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { SERVICES, type ServiceName } from '@tocsin/contracts';
import { eventually, type Mailbox, Scenario, startMailbox } from '@tocsin/testing';
import { Api } from './system/api.ts';
import { newInstallation } from './system/installation.ts';
import { ServiceProcess } from './system/service-process.ts';

jest.setTimeout(420_000);

const BOOTSTRAP = fileURLToPath(new URL('../../../deploy/bootstrap.mjs', import.meta.url));
const SCRIPT = fileURLToPath(new URL('../../../deploy/src/ledger.ts', import.meta.url));
const VICTIMS: readonly ServiceName[] = ['alert-ingest', 'alert-processor', 'scheduling', 'notifier'];
const ALERTS_PER_ROUND = 6;

interface Books {
  readonly commands: { readonly accepted: number; readonly lost: number; readonly waiting: number };
  readonly flows: { readonly runs: number; readonly overdue: number };
  readonly messages: { readonly sent: number; readonly waiting: number; readonly undelivered: number };
  readonly balances: boolean;
}

let mailbox: Mailbox;
let scenario: Scenario;
let asking: Record<string, string>;
const services: ServiceProcess[] = [];

beforeAll(async () => {
  mailbox = await startMailbox();
  const installation = await newInstallation(mailbox.url, 'fatal');
  services.push(...SERVICES.map((name) => new ServiceProcess(name, installation.environmentOf(name))));
  await Promise.all(services.map((service) => service.start()));
  const { INTERNAL_SIGNING_KEY = '' } = installation.environmentOf('gateway');
  const urlOf = (name: ServiceName) => `http://127.0.0.1:${installation.environmentOf(name)['PORT'] ?? ''}`;
  asking = {
    INTERNAL_SIGNING_KEY,
    ALERT_PROCESSOR_URL: urlOf('alert-processor'),
    SCHEDULING_URL: urlOf('scheduling'),
    NOTIFIER_URL: urlOf('notifier'),
  };
  scenario = new Scenario(new Api(installation.gatewayUrl), 'books.example.com', new Date());
  await scenario.users('ada');
  await scenario.escalation('Ada', { delay: 0, to: { type: 'user', name: 'ada' } });
}, 120_000);

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await mailbox.stop();
}, 60_000);

/** `npm run ledger -- …` against the services. */
async function ledger(...args: readonly string[]) {
  const child = spawn(process.execPath, [BOOTSTRAP, SCRIPT, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...asking },
  });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { said, complained, code: await exit };
}

/** As a client does it: again and again until it is accepted; the alias folds what was accepted unseen. */
const create = (alias: string) =>
  eventually(() => scenario.alert({ alias, message: alias, responders: [scenario.responder('escalation', 'Ada')] }), {
    timeoutMs: 30_000,
    everyMs: 200,
  });

describe('the books', () => {
  it('balance after each service was killed in the middle of its work, and know of every alert', async () => {
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
    // What the killed alert-ingest accepted in its last seconds was settled like all else, but nobody said that it was owed.
    const said = created - ALERTS_PER_ROUND;
    await eventually(
      async () => {
        const { said: answer, code } = await ledger('--json');
        const books = JSON.parse(answer) as Books;
        expect(books).toMatchObject({
          commands: { lost: 0, waiting: 0 },
          flows: { runs: created, overdue: 0 },
          messages: { waiting: 0, sent: created, undelivered: 0 },
          balances: true,
        });
        expect(books.commands.accepted).toBeGreaterThanOrEqual(said);
        expect(code).toBe(0);
      },
      { timeoutMs: 120_000, everyMs: 2_000 },
    );
    const table = await ledger();
    expect(table.code).toBe(0);
    expect(table.said).toContain('The books balance.');
  });

  it('say who could not be asked, and end with 3', async () => {
    const scheduling = services.find(({ name }) => name === 'scheduling');
    await scheduling?.kill();
    const { code, complained } = await ledger();
    await scheduling?.start();
    expect(code).toBe(3);
    expect(complained).toContain('scheduling at ');
  });
});
