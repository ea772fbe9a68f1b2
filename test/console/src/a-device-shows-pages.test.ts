// cspell:ignore serviceworker -- an event of Playwright
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tocsin/testkit';
import type { CDPSession, Page, Worker } from 'playwright-core';
import { BUILD, nextBuild } from './rig/next-build.ts';
import { OUTAGE, type SignedIn, useConsole } from './rig/console.ts';

const rig = useConsole();
let person: SignedIn;

beforeAll(async () => {
  const scenario = rig.system.scenario();
  await scenario.users('ada');
  person = await rig.signIn(scenario.address('ada'));
});

interface Installed {
  readonly page: Page;
  readonly worker: Worker;
}

/** Opens the console, and waits until its service worker runs. */
async function installed(): Promise<Installed> {
  const page = await rig.open('/console/alerts', { as: person, hasWorker: true });
  const context = page.context();
  await context.grantPermissions(['notifications']);
  const worker = await eventually(() => {
    const [first] = context.serviceWorkers();
    if (first === undefined) throw new Error('There is no service worker yet.');
    return first;
  });
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  return { page, worker };
}

/** Delivers a message as the push service of the browser does. */
async function deliver(page: Page, message: object | string): Promise<void> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration !== undefined) resolve(registration.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const data = typeof message === 'string' ? message : JSON.stringify(message);
  const { origin } = new URL(page.url());
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data });
}

/** The part of the worker that these tests use: the types of the page have none of it. */
interface WorkerScope {
  readonly registration: {
    getNotifications(): Promise<
      readonly (Notification & { readonly actions: readonly { readonly title: string }[] })[]
    >;
  };
  readonly clients: { openWindow: (url: string) => Promise<null> };
  readonly NotificationEvent: new (name: string, init: object) => ExtendableEvent;
  dispatchEvent(event: Event): boolean;
  opened?: string[];
}
type ExtendableEvent = Event;

const shown = ({ worker }: Installed) =>
  worker.evaluate(async () => {
    const scope = globalThis as unknown as WorkerScope;
    const notifications = await scope.registration.getNotifications();
    return notifications.map(({ actions, body, tag, title }) => ({
      title,
      body,
      tag,
      actions: actions.map((action) => action.title),
    }));
  });

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
    await deliver(device.page, page1);
    await eventually(async () => {
      expect(await shown(device)).toEqual([
        { title: page1.title, body: page1.text, tag: 'alert-1', actions: ['Acknowledge', 'Open'] },
      ]);
    });
    await deliver(device.page, { ...page1, title: '[P1] Disk full (#7), again' });
    await eventually(async () => {
      expect((await shown(device)).map(({ title }) => title)).toEqual(['[P1] Disk full (#7), again']);
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
      await deliver(device.page, page1);
      await eventually(async () => {
        expect(await shown(device)).toHaveLength(1);
      });
      expect([action, await pressed(device, action)]).toEqual([action, [url]]);
      await eventually(async () => {
        expect(await shown(device)).toEqual([]);
      });
    }
  });

  it('shows something for a message that it cannot read', async () => {
    const device = await installed();
    await deliver(device.page, 'no JSON');
    await eventually(async () => {
      expect((await shown(device)).map(({ title }) => title)).toEqual([
        'Tocsin sent a message that this browser cannot read',
      ]);
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
    await rig.system.without('gateway', () => Promise.resolve(), { CONSOLE_DIR: BUILD });
    await next.remove();
  });
});
