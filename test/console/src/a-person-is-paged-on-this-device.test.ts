import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type BrowserSubscription, type Scenario, startPushService } from '@tocsin/testkit';
import type { Page } from 'playwright-core';
import { useConsole } from './rig/console.ts';
import { writeUntil } from './rig/until.ts';
import { deliverUntil, workerOf } from './rig/worker.ts';

const rig = useConsole();
const service = await startPushService();
afterAll(() => service.stop());

let scenario: Scenario;
let ada: string;

beforeEach(async () => {
  scenario = rig.system.scenario();
  await scenario.users('ada', 'bob');
  ada = scenario.address('ada');
});

interface Boundary {
  readonly subscribeAtService: (key: string) => Promise<BrowserSubscription>;
  readonly unsubscribeAtService: (subscription: BrowserSubscription) => Promise<void>;
}

/** In the page: the push manager of the browser, which keeps its subscription as a browser does. Chromium has no push service here. */
function replacePushManager(): void {
  const { subscribeAtService, unsubscribeAtService } = globalThis as unknown as Boundary;
  interface Kept {
    readonly key: string;
    readonly subscription: BrowserSubscription;
  }
  const ITEM = 'subscription-of-the-browser';
  const asBrowser = ({ key, subscription }: Kept): PushSubscription =>
    ({
      options: {
        userVisibleOnly: true,
        applicationServerKey: Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
          character.charCodeAt(0),
        ).buffer,
      },
      toJSON: () => subscription,
      unsubscribe: async () => {
        localStorage.removeItem(ITEM);
        await unsubscribeAtService(subscription);
        return true;
      },
    }) as unknown as PushSubscription;
  PushManager.prototype.getSubscription = () => {
    const kept = localStorage.getItem(ITEM);
    return Promise.resolve(kept === null ? null : asBrowser(JSON.parse(kept) as Kept));
  };
  PushManager.prototype.subscribe = async ({ applicationServerKey } = {}) => {
    const key = applicationServerKey as string;
    const kept = { key, subscription: await subscribeAtService(key) };
    localStorage.setItem(ITEM, JSON.stringify(kept));
    return asBrowser(kept);
  };
}

interface Opened {
  readonly device?: 'desk' | 'phone';
  readonly permissions?: readonly string[];
  readonly hasWorker?: boolean;
  /** Runs in the page before its scripts. */
  readonly before?: () => void;
}

/** Opens the page Me in a browser that can subscribe at the double. */
async function opened({
  before,
  device = 'desk',
  hasWorker = true,
  permissions = ['notifications'],
}: Opened = {}): Promise<Page> {
  const page = await rig.open('/healthz', { as: await rig.signIn(ada), device, hasWorker });
  const context = page.context();
  await context.grantPermissions([...permissions]);
  await context.exposeFunction('subscribeAtService', (key: string) => service.subscribe(key));
  await context.exposeFunction('unsubscribeAtService', (subscription: BrowserSubscription) => {
    service.unsubscribe(subscription);
  });
  await context.addInitScript(replacePushManager);
  if (before !== undefined) await context.addInitScript(before);
  await page.goto('/console/me');
  return page;
}

const here = (page: Page) => page.getByRole('group', { name: 'This device' });
const says = (page: Page, text: string) => here(page).getByText(text);
const button = (page: Page, name: string) => here(page).getByRole('button', { name, exact: true });
const SHOWN = 'Your pages are shown on this device';

/** Registers the browser, and has new alerts sent to it. */
async function pagedHere(page: Page): Promise<void> {
  await writeUntil(says(page, SHOWN), () => button(page, 'Page me on this device').click());
  const add = button(page, 'Send new alerts here at once');
  await add.waitFor();
  await rig.isStill(page);
  await add.click();
  await add.waitFor({ state: 'detached' });
  await rig.system.settle();
}

const alertAda = (name: string) =>
  scenario.alert({
    alias: scenario.name(name),
    message: `Disk of ${name}`,
    priority: 'P1',
    responders: [scenario.user('ada')],
  });

describe('a person', () => {
  it('is paged on this device from then on, until the browser is no longer subscribed, and is paged again once it subscribes anew', async () => {
    const page = await opened({ device: 'phone' });
    await says(page, 'Your pages are not shown on this device.').waitFor();
    await rig.isStill(page);
    await rig.expectNoViolations(page);
    await rig.picture(page, 'me-device-phone');
    await pagedHere(page);
    await rig.isStill(page);
    await rig.expectNoViolations(page);
    await rig.picture(page, 'me-device-subscribed-phone');

    await alertAda('db');
    await rig.system.settle();
    const { payload } = await service.received(({ payload: { title } }) => String(title).includes('Disk of db'));
    await rig.system.mailbox.received(ada, 'Disk of db');
    const device = { page, worker: await workerOf(page) };
    await deliverUntil(device, payload, (notifications) => {
      expect(notifications).toMatchObject([{ title: expect.stringContaining('Disk of db') }]);
    });

    const subscription = await page.evaluate(
      () =>
        (
          JSON.parse(localStorage.getItem('subscription-of-the-browser') ?? '{}') as {
            subscription: BrowserSubscription;
          }
        ).subscription,
    );
    service.unsubscribe(subscription);
    await alertAda('web');
    await rig.system.settle();
    await rig.system.mailbox.received(ada, 'Disk of web');
    const mail = await rig.system.mailbox.received(ada, 'A browser of yours shows no more pages');
    expect(mail.text).toContain('press Page me on this device');
    await says(page, 'Your pages are no longer shown on this device.').waitFor();
    await page.getByText('Not used. The browser is no longer subscribed to push messages.').waitFor();
    await rig.picture(page, 'me-device-ended-phone');

    await writeUntil(says(page, SHOWN), () => button(page, 'Page me on this device').click());
    await rig.system.settle();
    await alertAda('queue');
    await rig.system.settle();
    await rig.system.mailbox.received(ada, 'Disk of queue');
    await service.received(({ payload: { title } }) => String(title).includes('Disk of queue'));
    expect(await here(page).getByRole('button').count()).toBe(0);
  });

  it('takes over a browser that shows the pages of another person, whose subscription ends', async () => {
    const page = await opened();
    await pagedHere(page);
    const bob = await rig.signIn(scenario.address('bob'));
    await page.context().clearCookies();
    await page.context().addCookies(bob.cookies);
    await page.goto('/console/me');
    await says(page, `This browser shows the pages of ${ada}.`).waitFor();
    await rig.isStill(page);
    await rig.expectNoViolations(page);
    await rig.picture(page, 'me-device-of-another-desk');
    await writeUntil(says(page, SHOWN), () => button(page, 'Page me here instead').click());
    await alertAda('cache');
    await rig.system.settle();
    await rig.system.mailbox.received(ada, 'Disk of cache');
    await rig.system.mailbox.received(ada, 'A browser of yours shows no more pages');
    expect(service.unexpected()).toEqual([]);
  });
});

describe('a browser that cannot show pages', () => {
  it('is named as such, with what to do, and offers no button that fails', async () => {
    const cases: readonly (readonly [Opened, string])[] = [
      [{ permissions: [] }, 'allow notifications, and reload the page'],
      [
        {
          before: () => {
            delete (globalThis as { PushManager?: unknown }).PushManager;
          },
        },
        'This browser cannot show pushes.',
      ],
      [
        {
          before: () => {
            delete (globalThis as { PushManager?: unknown }).PushManager;
            Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)' });
          },
        },
        'put the console on the home screen first',
      ],
    ];
    for (const [options, text] of cases) {
      const page = await opened(options);
      await says(page, text).waitFor();
      expect([text, await here(page).getByRole('button').count()]).toEqual([text, 0]);
    }
  });

  it('is one of an installation without a key', async () => {
    const page = await rig.open('/healthz', { as: await rig.signIn(ada) });
    await page.route('**/v2/web-push', (route) => route.fulfill({ json: { data: {}, took: 0.01, requestId: 'r' } }));
    await page.goto('/console/me');
    await says(page, 'This installation has no key for pushes to browsers.').waitFor();
    expect(await here(page).getByRole('button').count()).toBe(0);
  });
});
