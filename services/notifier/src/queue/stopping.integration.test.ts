import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { Pages } from '@tocsin/events';
import { composeService, type Lifecycle } from '@tocsin/service';
import { eventually } from '@tocsin/testkit';
import { compose } from '../compose.ts';
import { Config } from '../config.ts';
import { newInstallation, type TestInstallation } from '../testing/installation.ts';
import { ada, page } from '../testing/page-samples.ts';

const PEOPLE = ['ada', 'bob', 'cyd'];

let installation: TestInstallation;
let lifecycle: Lifecycle;
let server: Server;
/** To whom mails were begun. */
const begun: string[] = [];
/** Takes the mail that was sent last; undefined before the first. */
let takeMail: (() => void) | undefined;

/** Takes no mail until the test says so. */
function serve(socket: Socket): void {
  let isMail = false;
  socket.on('error', () => socket.destroy());
  socket.write('220 hello\r\n');
  socket.on('data', (data) => {
    const said = data.toString();
    if (!isMail) {
      begun.push(...(/^RCPT TO:<(.*)>/m.exec(said)?.slice(1) ?? []));
      isMail = said.startsWith('DATA');
      socket.write(isMail ? '354 go on\r\n' : '250 ok\r\n');
    } else if (said.endsWith('\r\n.\r\n')) {
      isMail = false;
      takeMail = () => socket.write('250 taken\r\n');
    }
  });
}

beforeAll(async () => {
  server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  installation = await newInstallation();
  const config = Config.parse({
    ...installation.environment,
    SMTP_URL: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    SMTP_MAX_CONNECTIONS: '1',
    LOG_LEVEL: 'silent',
  });
  ({ lifecycle } = await composeService({ name: 'notifier', config, compose, clock: systemClock }));
});

afterAll(async () => {
  await lifecycle.stop();
  server.close();
  await installation.close();
});

describe('a notifier that is stopped while messages are due', () => {
  it('ends the one that it has begun, and begins no other', async () => {
    const { database, publisher, publishUsers } = installation;
    await publishUsers(
      ...PEOPLE.map((id) => {
        const to = `${id}@example.com`;
        const rules = ada().notificationRules.map((rule) => ({
          ...rule,
          steps: rule.steps.map((step) => ({ ...step, contact: { method: 'email' as const, to } })),
        }));
        const contacts = [{ id: 'c1', method: 'email' as const, to, enabled: true }];
        return ada({ id, username: to, contacts, notificationRules: rules });
      }),
    );
    const pagedAt = systemClock.now().toISOString();
    await publisher.publish(
      Pages,
      PEOPLE.map((userId) => page({ userId, pageId: userId, pagedAt, acceptedAt: pagedAt })),
    );
    const states = async () => {
      const rows = await database.collection<{ state: string }>('deliveries').find().toArray();
      return rows.map(({ state }) => state).toSorted();
    };
    await eventually(async () => {
      expect(await states()).toEqual(['sending', 'waiting', 'waiting']);
      expect(takeMail).toBeDefined();
    });
    const stopped = lifecycle.stop();
    takeMail?.();
    await stopped;
    expect(await states()).toEqual(['sent', 'waiting', 'waiting']);
    expect(begun).toHaveLength(1);
  });
});
