import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { Pages } from '@tocsin/events';
import { eventually, processEnvironment } from '@tocsin/testkit';
import { ada, page } from '../testing/page-samples.ts';
import { newInstallation, type TestInstallation } from '../testing/installation.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

let installation: TestInstallation;
let server: Server;
const running: ChildProcess[] = [];
/** Of each mail that came whole: the answer, given when the test says so. */
const mails: ((answer: string) => void)[] = [];

beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.write('220 hello\r\n');
    let mail: string | undefined;
    socket.on('data', (data) => {
      const said = data.toString();
      if (mail === undefined) {
        if (said.startsWith('DATA')) mail = '';
        socket.write(mail === undefined ? '250 ok\r\n' : '354 go on\r\n');
        return;
      }
      mail += said;
      if (!mail.endsWith('\r\n.\r\n')) return;
      mail = undefined;
      mails.push((answer) => socket.write(`${answer}\r\n`));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  installation = await newInstallation();
});

afterAll(async () => {
  for (const each of running) each.kill('SIGKILL');
  server.close();
  await installation.close();
});

/** The service as a process of its own. */
function start(): ChildProcess {
  const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { ...installation.environment, SMTP_URL: url };
  const child = spawn(process.execPath, ['--conditions=source', MAIN], {
    env: processEnvironment(env),
    stdio: 'ignore',
  });
  running.push(child);
  return child;
}

const came = async (count: number): Promise<void> =>
  eventually(
    () => {
      expect(mails).toHaveLength(count);
    },
    { everyMs: 50 },
  );

const stored = () => installation.database.collection('deliveries').findOne({});

/** Each decision once: they are published at least once. */
const said = (): readonly string[] => {
  const delivered = installation.decisions.filter(({ decision }) => decision.stage === 'deliver');
  const byId = new Map(delivered.map(({ decision }) => [decision.decisionId, decision]));
  return [...byId.values()].flatMap(({ findings }) => findings.map(({ outcome }) => outcome));
};

describe('a notifier that is frozen for longer than its lease in the middle of a hand-over, twice', () => {
  it('overwrites no result of the process that took over, and costs one mail more for each unknown outcome', async () => {
    await installation.publishUsers(ada());
    const at = systemClock.now().toISOString();
    // Of no priority that is asked again after a provider fell silent: whatever repeats it is the freeze.
    const alert = { ...page().alert, priority: 'P3' as const };
    await installation.publisher.publish(Pages, [page({ pagedAt: at, acceptedAt: at, alert })]);

    const first = start();
    await came(1);
    first.kill('SIGSTOP');
    const second = start();
    await came(2);
    expect(await stored()).toMatchObject({ state: 'sending', attempts: 2, interruptions: 1 });
    second.kill('SIGSTOP');
    const third = start();
    await came(3);
    expect(await stored()).toMatchObject({ state: 'sending', attempts: 3, interruptions: 2 });

    // Both wake up to a refusal of the message for good, while the third still waits for its answer.
    mails[0]?.('550 no such user');
    mails[1]?.('550 no such user');
    first.kill('SIGCONT');
    second.kill('SIGCONT');
    await Promise.all([first, second].map(stopped));
    expect(await stored()).toMatchObject({ state: 'sending', attempts: 3 });
    mails[2]?.('250 taken');
    await eventually(
      async () => {
        expect(await stored()).toMatchObject({ state: 'sent', attempts: 3, interruptions: 2 });
        expect(said()).toEqual(['repeating', 'repeating', 'sent']);
      },
      { everyMs: 50 },
    );
    await stopped(third);
    expect(mails).toHaveLength(3);
  });
});

/** In order: whatever it has to write it has written. */
async function stopped(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}
