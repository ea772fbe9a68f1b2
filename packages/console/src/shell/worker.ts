const WORKER = '/console/sw.js';
export const WORKER_SCOPE = '/console/';
/** How long after its start a page asks for the worker: what the page shows comes first. */
const REGISTER_AFTER_MS = 3_000;

/**
 * The service worker of the console, once it can take messages. Undefined where the browser has none: it is too old, or the page did not
 * come over https.
 */
export async function readyWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined;
  await navigator.serviceWorker.register(WORKER, { scope: WORKER_SCOPE });
  return navigator.serviceWorker.ready;
}

/** Has the browser keep the page, so that it is shown where the server cannot be reached. */
export function registerWorkerLater(): void {
  // In development there is no worker.
  if (import.meta.env.PROD) setTimeout(() => void readyWorker().catch(() => undefined), REGISTER_AFTER_MS);
}
