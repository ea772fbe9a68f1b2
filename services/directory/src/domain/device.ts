import { MAX_CONTACTS_OF_METHOD } from './contact-book.ts';
import type { User } from './user.ts';

/** A device to be. */
export interface NewDevice {
  readonly id: string;
  readonly name: string;
  /** Nobody can guess it: who knows it reads what is pushed. */
  readonly topic: string;
}

/** The user with one device more, the last of their contacts; undefined where they have as many as one may have (U3). */
export function withDevice(user: User, { id, name, topic }: NewDevice): User | undefined {
  if (user.contacts.filter(({ method }) => method === 'mobile').length >= MAX_CONTACTS_OF_METHOD) return undefined;
  const contact = { id, method: 'mobile', to: topic, enabled: true, device: { name, verified: false } } as const;
  return { ...user, contacts: [...user.contacts, contact] };
}

/** Where a device subscribes to a topic of the push server at `pushUrl`: for a browser, and for the app that scans it. */
export function subscription(pushUrl: string, topic: string): { readonly url: string; readonly qrText: string } {
  const { host, origin, protocol } = new URL(pushUrl);
  const insecure = protocol === 'http:' ? '?secure=false' : '';
  return { url: `${origin}/${topic}`, qrText: `ntfy://${host}/${topic}${insecure}` };
}
