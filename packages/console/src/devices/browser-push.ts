import { readyWorker, WORKER_SCOPE } from '../shell/worker.ts';
import type { BrowserState, Support } from './push-state.ts';

/** What this browser says of pushes. Asks its person nothing. */
export async function readBrowser(): Promise<BrowserState> {
  const support = supportOf(navigator);
  if (support !== 'supported') return { support, permission: 'default', subscribedWith: undefined };
  const worker = await navigator.serviceWorker.getRegistration(WORKER_SCOPE);
  const subscription = await worker?.pushManager.getSubscription();
  return {
    support,
    permission: Notification.permission,
    subscribedWith: subscription ? keyOf(subscription) : undefined,
  };
}

function supportOf({ maxTouchPoints, userAgent }: Navigator): Support {
  if (!isSecureContext) return 'insecure';
  if ('PushManager' in window && 'serviceWorker' in navigator && 'Notification' in window) return 'supported';
  // An iPad says that it is a Mac.
  const isApple = /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);
  return isApple ? 'home-screen' : 'unsupported';
}

/** The key with which a browser has subscribed, as base64url. */
function keyOf({ options: { applicationServerKey } }: PushSubscription): string {
  const bytes = new Uint8Array(applicationServerKey ?? new ArrayBuffer());
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** A subscription as the server takes it, or why there is none. */
export type Subscribed =
  | { readonly endpoint: string; readonly keys: { readonly p256dh: string; readonly auth: string } }
  | { readonly refused: string };

/**
 * Subscribes this browser anew at its push service, and asks its person for their permission first. A present subscription ends: it may be
 * that of another person, or one that the push service has ended while the browser still has it.
 */
export async function subscribeBrowser(publicKey: string): Promise<Subscribed> {
  if ((await Notification.requestPermission()) !== 'granted')
    return { refused: 'The browser was not allowed to show notifications.' };
  try {
    return await subscribed(publicKey);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { refused: `The browser could not subscribe at its push service: ${reason}` };
  }
}

async function subscribed(publicKey: string): Promise<Subscribed> {
  const manager = (await readyWorker())?.pushManager;
  if (manager === undefined) return { refused: 'The browser has no worker for this page.' };
  await (await manager.getSubscription())?.unsubscribe();
  const subscription = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const { auth = '', p256dh = '' } = keys;
  return { endpoint, keys: { p256dh, auth } };
}
