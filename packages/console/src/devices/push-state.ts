import type { Answer } from '../api/answer.ts';

export type Contact = Answer<'list-contacts'>['data'][number];

/** Whether a browser can show pushes at all; `home-screen`: it can once the console is on its home screen. */
export type Support = 'supported' | 'insecure' | 'home-screen' | 'unsupported';

/** What the browser says of itself. */
export interface BrowserState {
  readonly support: Support;
  readonly permission: NotificationPermission;
  /** The key of the installation with which it has subscribed; undefined where it has not. */
  readonly subscribedWith: string | undefined;
}

/** What the browser keeps of its last registration. */
export interface Registration {
  readonly userId: string;
  readonly username: string;
  readonly contactId: string;
}

export type DeviceState =
  | { readonly kind: Exclude<Support, 'supported'> | 'not-set-up' | 'denied' | 'ready' }
  /** Its pages are those of another person. */
  | { readonly kind: 'of-another'; readonly username: string }
  | { readonly kind: 'subscribed'; readonly contact: Contact }
  /** It was registered, and shows no pages at present. */
  | { readonly kind: 'ended'; readonly contact: Contact };

interface Facts {
  readonly browser: BrowserState;
  /** The key of the installation; undefined where it has none. */
  readonly publicKey: string | undefined;
  readonly registration: Registration | undefined;
  readonly userId: string;
  readonly contacts: readonly Contact[];
}

/** What this browser is to the pages of the signed-in person. */
export function deviceState({ browser, contacts, publicKey, registration, userId }: Facts): DeviceState {
  const { permission, subscribedWith, support } = browser;
  if (support !== 'supported') return { kind: support };
  if (publicKey === undefined) return { kind: 'not-set-up' };
  if (permission === 'denied') return { kind: 'denied' };
  return registration === undefined
    ? { kind: 'ready' }
    : registeredState(registration, {
        contacts,
        userId,
        isSubscribed: subscribedWith !== undefined,
        isOurs: subscribedWith === publicKey,
      });
}

interface RegisteredFacts extends Pick<Facts, 'contacts' | 'userId'> {
  readonly isSubscribed: boolean;
  /** Whether it has subscribed with the key that the installation has at present. */
  readonly isOurs: boolean;
}

function registeredState(
  registration: Registration,
  { contacts, isOurs, isSubscribed, userId }: RegisteredFacts,
): DeviceState {
  if (registration.userId !== userId)
    return isSubscribed ? { kind: 'of-another', username: registration.username } : { kind: 'ready' };
  const contact = contacts.find(({ id }) => id === registration.contactId);
  if (contact === undefined) return { kind: 'ready' };
  const isUsed = contact.status.enabled && contact.status.disabledReason === undefined;
  return { kind: isOurs && isUsed ? 'subscribed' : 'ended', contact };
}

/** What the page says of a browser. */
export function deviceText(state: DeviceState): string {
  switch (state.kind) {
    case 'insecure':
      return 'This page did not come over https. Browsers show pushes of pages that did.';
    case 'home-screen':
      return 'On an iPhone or iPad, put the console on the home screen first: press Share, then Add to Home Screen. Open it from there, and come back to this page.';
    case 'unsupported':
      return 'This browser cannot show pushes. A current Chrome, Edge, Firefox or Safari can.';
    case 'not-set-up':
      return 'This installation has no key for pushes to browsers. Its operator sets VAPID_PRIVATE_KEY of notifier.';
    case 'denied':
      return 'This browser shows no notifications of this page, because they were refused. Open its settings for this page by the icon beside the address, allow notifications, and reload the page.';
    case 'ready':
      return 'Your pages are not shown on this device.';
    case 'of-another':
      return `This browser shows the pages of ${state.username}. If you are paged here, they are not, and get a mail about it.`;
    case 'subscribed':
      return 'Your pages are shown on this device, also after you sign out. To end that, delete it in the list below.';
    case 'ended':
      return 'Your pages are no longer shown on this device.';
  }
}

/** What a browser does when it is asked to show pages; undefined where it cannot be asked. */
export function subscribeText({ kind }: DeviceState): string | undefined {
  if (kind === 'ready' || kind === 'ended') return 'Page me on this device';
  return kind === 'of-another' ? 'Page me here instead' : undefined;
}

/** A registration that was kept as JSON; undefined for any other text. */
export function readRegistration(kept: string | undefined): Registration | undefined {
  try {
    const { contactId, userId, username } = JSON.parse(kept ?? '') as Record<keyof Registration, unknown>;
    return typeof contactId === 'string' && typeof userId === 'string' && typeof username === 'string'
      ? { contactId, userId, username }
      : undefined;
  } catch {
    return undefined;
  }
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** What a person would call a browser, such as `Chrome on Android`. */
export function browserName(userAgent: string): string {
  const named = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1];
  return `${named(BROWSERS) ?? 'Browser'} on ${named(SYSTEMS) ?? 'a device'}`;
}
