/** What a notification is made of. The browser shows it, and gives `data` back when it is pressed. */
export interface Shown {
  readonly title: string;
  readonly options: {
    readonly body: string;
    /** A later notification of the same tag replaces this one, and rings again. */
    readonly tag: string;
    readonly renotify: true;
    /** A page stays until its reader acts. */
    readonly requireInteraction: true;
    readonly icon: string;
    readonly badge: string;
    readonly data: Links;
    readonly actions: readonly { readonly action: Action; readonly title: string }[];
  };
}

type Action = 'acknowledge' | 'open';

/** Where the buttons of a notification lead. */
interface Links {
  readonly acknowledgeUrl?: string;
  readonly alertId?: string;
}

/** The payload of notifier (`services/notifier/src/channels/push/web-push.ts`). */
interface Payload extends Links {
  readonly title: string;
  readonly text: string;
  readonly key: string;
}

const CONSOLE = '/console/';
const ICONS = { icon: '/console/icons/icon-192.png', badge: '/console/icons/badge-96.png' };

/** A browser has to show something for each message, or it ends the subscription. */
const UNREADABLE: Payload = {
  title: 'Tocsin sent a message that this browser cannot read',
  text: 'Open the console to see what it is about.',
  key: 'unreadable',
};

/** The notification of a message; `sent` is its decrypted text. */
export function notificationOf(sent: string | undefined): Shown {
  const { acknowledgeUrl, alertId, key, text, title } = payloadOf(sent) ?? UNREADABLE;
  return {
    title,
    options: {
      body: text,
      tag: key,
      renotify: true,
      requireInteraction: true,
      ...ICONS,
      data: { ...(acknowledgeUrl !== undefined && { acknowledgeUrl }), ...(alertId !== undefined && { alertId }) },
      actions: [
        ...(acknowledgeUrl === undefined ? [] : [{ action: 'acknowledge', title: 'Acknowledge' } as const]),
        { action: 'open', title: 'Open' },
      ],
    },
  };
}

function payloadOf(sent: string | undefined): Payload | undefined {
  try {
    const { acknowledgeUrl, alertId, key, text, title } = JSON.parse(sent ?? '') as Record<keyof Payload, unknown>;
    if (typeof title !== 'string' || typeof text !== 'string' || typeof key !== 'string') return undefined;
    return {
      title,
      text,
      key,
      ...(typeof acknowledgeUrl === 'string' && { acknowledgeUrl }),
      ...(typeof alertId === 'string' && { alertId }),
    };
  } catch {
    return undefined;
  }
}

/**
 * Where a notification leads: its button Open to the alert in the console; its button Acknowledge and the notification itself to the page of
 * the link, which needs no session, and on which the reader acknowledges (U14).
 */
export function urlOf(action: string, links: unknown, origin: string): string {
  const { acknowledgeUrl, alertId } = (links ?? {}) as Links;
  const inConsole = alertId === undefined ? CONSOLE : `${CONSOLE}alerts/${encodeURIComponent(alertId)}`;
  const wanted = action === 'open' || acknowledgeUrl === undefined ? inConsole : acknowledgeUrl;
  const url = URL.parse(wanted, origin);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : new URL(CONSOLE, origin).href;
}
