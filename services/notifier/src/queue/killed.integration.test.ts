import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { NoticeCommands, Pages } from '@tocsin/events';
import { eventually, processEnvironment } from '@tocsin/testkit';
import { invitation } from '../testing/notice-samples.ts';
import { ada, page } from '../testing/page-samples.ts';
import { newInstallation, type TestInstallation } from '../testing/installation.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const NOTICES = 200;
const PAGES = 200;
/** Each has one message at a time. */
const PEOPLE = 20;
/** As many messages as may be between their start and their result when the process is killed. */
const AT_ONCE = 4;
/** A claim of the killed process runs out, and everything is sent. */

let installation: TestInstallation;
let running: ChildProcess | undefined;

beforeAll(async () => {
  installation = await newInstallation();
});

afterAll(async () => {
  running?.kill('SIGKILL');
  await installation.close();
});

/** The service as a process of its own. */
function start(): ChildProcess {
  const env = { ...installation.environment, SMTP_MAX_CONNECTIONS: String(AT_ONCE) };
  running = spawn(process.execPath, ['--conditions=source', MAIN], { env: processEnvironment(env), stdio: 'ignore' });
  return running;
}

describe('the service killed while it sends', () => {
  it('sends every message when it runs again, twice only those under way, and reports working addresses to directory', async () => {
    const { decisions, mailbox, publisher, publishUsers, verifications } = installation;
    const at = systemClock.now().toISOString();
    await publishUsers(...Array.from({ length: PEOPLE }, (_, number) => ada({ id: `u${number}` })));
    const notices = Array.from({ length: NOTICES }, (_, number) =>
      invitation({ noticeId: `n${number}`, to: `${number}@example.com`, at }),
    );
    const pages = Array.from({ length: PAGES }, (_, number) =>
      page({
        pageId: `p${number}`,
        userId: `u${number % PEOPLE}`,
        pagedAt: at,
        acceptedAt: at,
        alert: { ...page().alert, tinyId: `${number}` },
      }),
    );
    await publisher.publish(NoticeCommands, notices);
    await publisher.publish(Pages, pages);
    const first = start();
    await eventually(
      () => {
        expect(mailbox.mails.length).toBeGreaterThan(20);
      },
      { everyMs: 1 },
    );
    first.kill('SIGKILL');
    await once(first, 'exit');
    expect(mailbox.mails.length).toBeLessThan(NOTICES + PAGES);
    const second = start();
    await publisher.publish(NoticeCommands, notices);
    await publisher.publish(Pages, pages);
    await eventually(
      () => {
        const sent = decisions.filter(({ decision }) => decision.findings.some(({ outcome }) => outcome === 'sent'));
        expect(new Set(sent.map(({ decision }) => decision.decisionId)).size).toBe(NOTICES + PAGES);
      },
      { everyMs: 100 },
    );
    // The invited user is unknown here, and the others are verified.
    const addresses = new Set(notices.map(({ to }) => to));
    await eventually(
      () => {
        expect(new Set(verifications.map(({ to }) => to))).toEqual(addresses);
      },
      { everyMs: 100 },
    );
    const messages = new Map<string, number>();
    for (const { subject, to } of mailbox.mails) {
      const message = `${to.join()} ${subject}`;
      messages.set(message, (messages.get(message) ?? 0) + 1);
    }
    expect(messages.size).toBe(NOTICES + PAGES);
    expect(Math.max(...messages.values())).toBeLessThanOrEqual(2);
    expect(mailbox.mails.length).toBeLessThanOrEqual(NOTICES + PAGES + AT_ONCE);
    second.kill('SIGTERM');
    await once(second, 'exit');
  });
});
