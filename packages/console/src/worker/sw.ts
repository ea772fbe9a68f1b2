/**
 * The service worker of the console: shows messages that a push service brings, and the page where the server cannot be reached. It keeps
 * the page and its files alone, and always asks the server first, so that an upgrade is seen at once.
 */
import { notificationOf, urlOf } from './message.ts';
import { type Part, partOf, ShellCache } from './shell.ts';

declare const self: ServiceWorkerGlobalScope;

const shell = new ShellCache(self.caches, self.fetch.bind(self));
/** A page that is not kept is read from the server the next time. */
const ignore = (): undefined => undefined;

self.addEventListener('install', (event) => {
  event.waitUntil(Promise.all([self.skipWaiting(), shell.readPage().catch(ignore)]));
});

self.addEventListener('fetch', (event) => {
  const part = partOf(event.request, self.location.origin);
  if (part !== undefined) event.respondWith(answered(event, part));
});

/** The answer of the server, or what is kept where there is none. An answer such as 404 is one. */
async function answered(event: FetchEvent, part: Part): Promise<Response> {
  try {
    const response = await fetch(event.request);
    if (part === 'page') event.waitUntil(shell.keep(response.clone()).catch(ignore));
    return response;
  } catch (error) {
    const kept = await shell.find(part, event.request.url);
    if (kept === undefined) throw error;
    return kept;
  }
}

self.addEventListener('push', (event) => {
  const { options, title } = notificationOf(event.data?.text());
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(urlOf(event.action, event.notification.data, self.location.origin)));
});

/** Shows a page in the window that has it already, else in a new one. */
async function show(url: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = windows.find((each) => each.url === url);
  await (open === undefined ? self.clients.openWindow(url) : open.focus());
}
