import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { Pages, type UserState } from '@tocsin/events';
import { composeService, type Lifecycle } from '@tocsin/service';
import { eventually } from '@tocsin/testkit';
import { compose } from '../../compose.ts';
import { Config } from '../../config.ts';
import { ada, page } from '../../testing/page-samples.ts';
import { newInstallation, type TestInstallation } from '../../testing/installation.ts';

const MAX_UNDER_WAY = 50;
const PEOPLE = 60;
const EACH = 4;

let installation: TestInstallation;
let lifecycle: Lifecycle;
let server: Server;
/** Of each mail, in the order in which they were begun: whose it is and which. */
const begun: { readonly to: string; readonly subject: string }[] = [];
const underWay = new Set<string>();
let most = 0;
let twice = 0;
let answered = 0;
/** The last answers to mails, which the server gives when the test says. */
const held: (() => void)[] = [];
let isHolding = true;

/** Gives the answers that are held. */
function release(): void {
  for (const answer of held.splice(0)) answer();
}

/** Takes every mail, and gives its last answer later. */
function serve(socket: Socket): void {
  let to = '';
  let mail: string | undefined;
  socket.on('error', () => socket.destroy());
  socket.write('220 hello\r\n');
  socket.on('data', (data) => {
    const said = data.toString();
    if (mail === undefined) {
      to = /^RCPT TO:<(.*)>/m.exec(said)?.[1] ?? to;
      if (said.startsWith('DATA')) mail = '';
      socket.write(mail === undefined ? '250 ok\r\n' : '354 go on\r\n');
      return;
    }
    mail += said;
    if (!mail.endsWith('\r\n.\r\n')) return;
    take(to, mail, () => socket.write('250 taken\r\n'));
    mail = undefined;
  });
}

function take(to: string, mail: string, answer: () => void): void {
  begun.push({ to, subject: String(/^Subject: (.*?)\r?$/m.exec(mail)?.[1]) });
  if (underWay.has(to)) twice += 1;
  underWay.add(to);
  most = Math.max(most, underWay.size);
  held.push(() => {
    underWay.delete(to);
    answered += 1;
    answer();
  });
  if (!isHolding) release();
}

beforeAll(async () => {
  server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  installation = await newInstallation();
  const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = { ...installation.environment, SMTP_URL: url, LOG_LEVEL: 'silent' };
  const config = Config.parse({ ...environment, SMTP_MAX_CONNECTIONS: String(MAX_UNDER_WAY) });
  ({ lifecycle } = await composeService({ name: 'notifier', config, compose, clock: systemClock }));
});

afterAll(async () => {
  await lifecycle.stop();
  server.close();
  await installation.close();
});

describe('a slow mail server', () => {
  it('is kept busy by as many mails as there are slots, each person has one at a time, the oldest first', async () => {
    const [rule] = ada().notificationRules;
    if (rule === undefined) throw new Error('the sample has no rule');
    const person = (number: number): UserState => {
      const to = `u${number}@example.com`;
      const steps = rule.steps.map((step) => ({ ...step, contact: { method: 'email' as const, to } }));
      const contacts = [{ id: 'c1', method: 'email' as const, to, enabled: true }];
      return ada({ id: `u${number}`, username: to, contacts, notificationRules: [{ ...rule, steps }] });
    };
    await installation.publishUsers(...Array.from({ length: PEOPLE }, (_, number) => person(number)));
    const startAt = systemClock.now().getTime() - 10_000;
    const pages = Array.from({ length: PEOPLE * EACH }, (_, index) => {
      const number = Math.floor(index / PEOPLE);
      const at = new Date(startAt + index).toISOString();
      const alert = { ...page().alert, tinyId: String(number) };
      return page({ pageId: `p${index}`, userId: `u${index % PEOPLE}`, pagedAt: at, acceptedAt: at, alert });
    });
    await installation.publisher.publish(Pages, pages);
    for (let round = 0; round < 3; round += 1) {
      await eventually(() => {
        expect(underWay.size).toBe(MAX_UNDER_WAY);
      });
      release();
    }
    isHolding = false;
    release();
    await eventually(() => {
      expect(answered).toBe(PEOPLE * EACH);
    });
    expect(most).toBe(MAX_UNDER_WAY);
    expect(twice).toBe(0);
    for (let number = 0; number < PEOPLE; number += 1)
      expect(begun.filter(({ to }) => to === `u${number}@example.com`).map(({ subject }) => subject)).toEqual(
        Array.from({ length: EACH }, (_, each) => `[P1] Disk full (#${each})`),
      );
  });
});
