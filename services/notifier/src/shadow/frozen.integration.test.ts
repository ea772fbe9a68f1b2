import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { Pages, SHADOW_SWITCH, ShadowSwitches, type ShadowSwitchState } from '@tocsin/events';
import { MemoryReplica } from '@tocsin/kafka';
import { eventually, processEnvironment } from '@tocsin/testkit';
import { newInstallation, type TestInstallation } from '../testing/installation.ts';
import { ada, page } from '../testing/page-samples.ts';
import { ShadowGate } from './operations.ts';
import { ShadowStore } from './store.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

const END_OF_MAIL = '\r\n.\r\n';

let installation: TestInstallation;
let server: Server;
let gate: ShadowGate;
const running: ChildProcess[] = [];
const sockets = new Set<Socket>();
/** Connections that the server has not greeted yet. */
const waiting: Socket[] = [];
let greets = true;
let mails = 0;

beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    let isInMail = false;
    /** The last bytes of the mail: its end may come in two parts. */
    let end = '';
    socket.on('data', (data) => {
      const said = data.toString();
      if (isInMail) {
        end = (end + said).slice(-END_OF_MAIL.length);
        if (end !== END_OF_MAIL) return;
        mails += 1;
      }
      isInMail = said.startsWith('DATA');
      socket.write(isInMail ? '354 go on\r\n' : '250 ok\r\n');
    });
    if (greets) socket.write('220 hello\r\n');
    else waiting.push(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  installation = await newInstallation();
  const store = new ShadowStore(installation.database);
  gate = new ShadowGate({ store, switches: new MemoryReplica<ShadowSwitchState>() });
  await installation.publishUsers(ada());
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

/** As directory does: the topic first, then notifier, until the switch is in effect. */
async function set(n: number, enabled: boolean): Promise<void> {
  const state = { enabled, periodId: 'first', changedAt: systemClock.now().toISOString() };
  const published = { version: { epoch: 2, n }, state };
  await installation.publisher.publish(ShadowSwitches, [{ id: SHADOW_SWITCH, deleted: false, ...published }]);
  await eventually(
    async () => {
      expect(await gate.keep(published)).toMatchObject({ enabled, isEffective: true });
    },
    { everyMs: 100, timeoutMs: 120_000 },
  );
}

async function publish(alertId: string): Promise<void> {
  const at = systemClock.now().toISOString();
  await installation.publisher.publish(Pages, [page({ alertId, pageId: alertId, pagedAt: at, acceptedAt: at })]);
}

const stateOf = async (alertId: string) =>
  (await installation.database.collection<{ _id: string; state: string }>('deliveries').findOne({ _id: alertId }))
    ?.state;

const becomes = (alertId: string, state: string) =>
  eventually(
    async () => {
      expect(await stateOf(alertId)).toBe(state);
    },
    { everyMs: 50, timeoutMs: 120_000 },
  );

describe('a notifier that is frozen between its decision to send and the first byte of the message', () => {
  it('does not send it after shadow is in effect, and another process records it as held back', async () => {
    const frozen = start();
    await publish('before');
    await becomes('before', 'sent');
    expect(mails).toBe(1);
    greets = false;
    // The first connection may still be open, so mails go on by that until the server closes it.
    for (const each of sockets) each.destroy();
    await publish('begun');
    await becomes('begun', 'sending');
    await eventually(() => {
      expect(waiting).not.toEqual([]);
    });
    frozen.kill('SIGSTOP');
    await set(2, true);
    greets = true;
    for (const socket of waiting) socket.write('220 hello\r\n');
    frozen.kill('SIGCONT');
    await becomes('begun', 'held-back');
    await publish('in shadow');
    await becomes('in shadow', 'held-back');
    expect(mails).toBe(1);
    await stopped(frozen);
  });

  it('sends nothing after a restart, and each message that comes after the end of shadow', async () => {
    const child = start();
    await publish('after the restart');
    await becomes('after the restart', 'held-back');
    await set(3, false);
    await publish('after shadow');
    await becomes('after shadow', 'sent');
    await pause(1_500);
    expect(mails).toBe(2);
    await stopped(child);
  });
});

async function stopped(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}
