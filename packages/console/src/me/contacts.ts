import type { Contact, Rule } from './queries.ts';

/** The methods of a contact that a person adds by its address. */
const METHODS = ['email', 'sms', 'voice'] as const;
export type AddedMethod = (typeof METHODS)[number];

const METHOD_NAMES: Readonly<Record<Contact['method'], string>> = {
  email: 'Mail',
  sms: 'Text message',
  voice: 'Call',
  mobile: 'Push',
};

export const METHOD_OPTIONS = METHODS.map((value) => ({ value, name: METHOD_NAMES[value] }));

/** What its person calls a contact: the method and the address, or the name of the device. */
export const contactName = ({ device, method, to }: Pick<Contact, 'method' | 'to' | 'device'>): string =>
  `${METHOD_NAMES[method]} ${device?.name ?? to}`;

/** How an address of a method is written. */
export const addressHint = (method: Contact['method']): string =>
  method === 'email'
    ? 'Such as ada@example.com.'
    : 'Country code, hyphen, number, without spaces, such as 44-2079460000.';

/** The devices that are used only after a code (U13). */
const WITH_CODE: ReadonlySet<NonNullable<Contact['device']>['kind']> = new Set(['slack', 'mattermost']);

/** Whether the contact waits for the code that was sent to it. The reason of a contact that its owner disabled is that; other devices have no code. */
export const isUnverified = ({ device, status }: Pick<Contact, 'status' | 'device'>): boolean =>
  (device === undefined || WITH_CODE.has(device.kind)) && status.enabled && status.disabledReason !== undefined;

/** What a person can do whose code does not come. */
export function noCodeHint({ method }: Pick<Contact, 'method'>): string {
  if (method === 'email') return '';
  return method === 'mobile'
    ? ' If it does not come, look whether the id is that of your account, and ask an admin whether the bot is set up.'
    : ' If it does not come, ask an admin whether text messages and calls are set up.';
}

const isUsed = ({ status }: Pick<Contact, 'status'>): boolean => status.enabled && status.disabledReason === undefined;

/** Whether messages are sent to a contact, and why not. */
export function stateText(contact: Pick<Contact, 'status' | 'device'>): string {
  if (!contact.status.enabled) return 'Not used: you disabled it.';
  if (isUnverified(contact)) return 'Not used: it is not verified yet.';
  if (contact.status.disabledReason !== undefined) return `Not used. ${contact.status.disabledReason}`;
  return contact.device?.verified === false ? 'Used. No push was sent to it yet.' : 'Used.';
}

/** Why a user cannot be paged at all; undefined where they can. */
export const unreachableText = (contacts: readonly Contact[]): string | undefined =>
  contacts.some(isUsed)
    ? undefined
    : 'You cannot be paged: none of your contacts is used. Add one, or verify or enable one.';

/** What the server says of the codes of contacts (U3). */
export const CODE_LIMITS =
  'A code is valid for 10 minutes, for five tries, and until another one is sent. The server sends one a minute and five an hour to an address, and twenty an hour to all of yours.';

/** Which steps of the rules of a user go with one of their contacts, and which rules send nothing from then on. */
export function lostStepsText(rules: readonly Rule[], { method, to }: Pick<Contact, 'method' | 'to'>): string {
  const uses = ({ contact }: Rule['steps'][number]) => contact.method === method && contact.to === to;
  const cut = rules.filter(({ steps }) => steps.some(uses));
  if (cut.length === 0) return 'No notification rule uses it.';
  const names = cut.map(({ name, steps }) => (steps.every(uses) ? `${name} (nothing else is left in it)` : name));
  return `The steps that use it go with it, from these notification rules: ${names.join(', ')}.`;
}
