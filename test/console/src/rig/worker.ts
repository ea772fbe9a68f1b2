import { eventually } from '@tocsin/testkit';
import type { Page, Worker } from 'playwright-core';

/** A page and the service worker that serves it. */
export interface Installed {
  readonly page: Page;
  readonly worker: Worker;
}

/** Waits until the service worker of a page runs. */
export async function workerOf(page: Page): Promise<Worker> {
  const worker = await eventually(() => {
    const [first] = page.context().serviceWorkers();
    if (first === undefined) throw new Error('There is no service worker yet.');
    return first;
  });
  // Messages for a worker that is not active yet are lost.
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    while (active !== null && active.state !== 'activated')
      await new Promise((resolve) => {
        active.addEventListener('statechange', resolve, { once: true });
      });
  });
  return worker;
}

/** Delivers a message as the push service of the browser does. */
async function deliver(page: Page, message: object | string): Promise<void> {
  const session = await page.context().newCDPSession(page);
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

/** A notification, with the names of its buttons. */
interface ShownNotification {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly actions: readonly string[];
}

/** The part of the worker that these tests use: the types of the page have none of it. */
export interface WorkerScope {
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

/** The notifications that a browser shows. */
export const shown = ({ worker }: Installed): Promise<readonly ShownNotification[]> =>
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

const SHOWN_WITHIN_MS = 5_000;

/** Delivers a message until it is shown, as `isShown` expects: Chromium may lose one. Repeats take the place of each other. */
export function deliverUntil(
  device: Installed,
  message: object | string,
  isShown: (notifications: readonly ShownNotification[]) => void,
): Promise<void> {
  return eventually(async () => {
    await deliver(device.page, message);
    await eventually(
      async () => {
        isShown(await shown(device));
      },
      { timeoutMs: SHOWN_WITHIN_MS },
    );
  });
}
