// cspell:ignore serviceworker -- an event of Playwright
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tocsin/testkit';
import { BUILD, nextBuild } from './rig/next-build.ts';
import { OUTAGE, type SignedIn, useConsole } from './rig/console.ts';
import { deliverUntil, type Installed, shown, workerOf, type WorkerScope } from './rig/worker.ts';

const rig = useConsole();
let person: SignedIn;

beforeAll(async () => {
  const scenario = rig.system.scenario();
  await scenario.users('ada');
  person = await rig.signIn(scenario.address('ada'));
});

/** Opens the console, and waits until its service worker runs. */
async function installed(): Promise<Installed> {
  const page = await rig.open('/console/alerts', { as: person, hasWorker: true });
  const context = page.context();
  await context.grantPermissions(['notifications']);
  return { page, worker: await workerOf(page) };
}

/** Presses a button of the notification, or the notification itself; resolves with the pages that the worker opens. */
const pressed = ({ worker }: Installed, action: string) =>
  worker.evaluate(async (name) => {
    const scope = globalThis as unknown as WorkerScope;
    const opened: string[] = [];
    // A browser opens windows for a real press alone.
    scope.clients.openWindow = (url) => {
      opened.push(url);
      return Promise.resolve(null);
    };
    const [notification] = await scope.registration.getNotifications();
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification, action: name }));
    while (opened.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    return opened;
  }, action);

const page1 = {
  title: '[P1] Disk full (#7)',
  text: '> No space left',
  key: 'alert-1',
  alertId: 'a1',
  acknowledgeUrl: 'https://tocsin.example.com/acknowledge/x',
};

describe('the service worker', () => {
  it('shows a page with its buttons, and the next one about its alert in its place', async () => {
    const device = await installed();
    await deliverUntil(device, page1, (notifications) => {
      expect(notifications).toEqual([
        { title: page1.title, body: page1.text, tag: 'alert-1', actions: ['Acknowledge', 'Open'] },
      ]);
    });
    await deliverUntil(device, { ...page1, title: '[P1] Disk full (#7), again' }, (notifications) => {
      expect(notifications.map(({ title }) => title)).toEqual(['[P1] Disk full (#7), again']);
    });
  });

  it('leads to the page that acknowledges and to the alert, and acknowledges nothing itself', async () => {
    const device = await installed();
    const { origin } = new URL(device.page.url());
    for (const [action, url] of [
      ['acknowledge', page1.acknowledgeUrl],
      ['open', `${origin}/console/alerts/a1`],
      ['', page1.acknowledgeUrl],
    ] as const) {
      await deliverUntil(device, page1, (notifications) => {
        expect(notifications).toHaveLength(1);
      });
      expect([action, await pressed(device, action)]).toEqual([action, [url]]);
      await eventually(async () => {
        expect(await shown(device)).toEqual([]);
      });
    }
  });

  it('shows something for a message that it cannot read', async () => {
    const device = await installed();
    await deliverUntil(device, 'no JSON', (notifications) => {
      expect(notifications.map(({ title }) => title)).toEqual(['Tocsin sent a message that this browser cannot read']);
    });
  });

  it('shows the page of its own build where the server cannot be reached, and keeps nothing of alerts', async () => {
    const { page } = await installed();
    const kept = () =>
      page.evaluate(async () => {
        const names = await caches.keys();
        const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
        return requests.flat().map(({ url }) => new URL(url).pathname);
      });
    await eventually(async () => {
      expect(await kept()).toContain('/console/');
    });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    rig.causes(OUTAGE);
    await rig.system.without('gateway', async () => {
      await page.reload();
      await page.getByText('The server cannot be reached.').first().waitFor();
    });
    expect((await kept()).filter((path) => !/^\/console\/(?:assets\/[^/]+)?$/.test(path))).toEqual([]);
  });

  it('asks the server for the page first, so that an upgrade is seen at once', async () => {
    const next = await nextBuild();
    const { page } = await installed();
    const script = () => page.evaluate(() => document.querySelector('script')?.src ?? '');
    const before = await script();
    rig.causes(OUTAGE);
    await rig.system.without('gateway', () => Promise.resolve(), { CONSOLE_DIR: next.folder });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    expect(await script()).not.toBe(before);
    // It would ask for the rest of its build, which the server has no more.
    await page.close();
    await rig.system.without('gateway', () => Promise.resolve(), { CONSOLE_DIR: BUILD });
    await next.remove();
  });
});
