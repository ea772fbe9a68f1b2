import {
  ConfirmContactBody,
  CreateContactBody,
  RegisterBrowserBody,
  RegisterDeviceBody,
  UpdateContactBody,
} from '@tocsin/api';
import { formatInstant, pushServiceOf } from '@tocsin/events';
import {
  actorName,
  defineInternalRoute,
  defineRoute,
  type InternalRoute,
  mayActAs,
  type Principal,
  type Route,
} from '@tocsin/http';
import { z } from 'zod';
import { type Contact, type ContactPath, type Device, disabledReason } from './contact.ts';
import type { Browsers } from './browser-operations.ts';
import type { Devices } from './device-operations.ts';
import type { Contacts } from './operations.ts';
import type { TelegramDevices } from './telegram-operations.ts';
import type { ContactAnswer, ContactVerification } from './verification-operations.ts';

export interface ContactHandlers {
  readonly contacts: Contacts;
  readonly contactVerification: ContactVerification;
  readonly devices: Devices;
  readonly telegramDevices: TelegramDevices;
  readonly browsers: Browsers;
}

/** `/v2/users/{userIdentifier}/contacts` (part 3, 4.2; U3), `/devices` (U13) and `/browsers` (U22). */
export function contactRoutes({
  browsers,
  contacts,
  contactVerification,
  devices,
  telegramDevices,
}: ContactHandlers): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-contact',
      body: CreateContactBody,
      handle: async ({ params, body }) => ({
        status: 201,
        body: written('Created', await contacts.create(contactPath(params).user, body)),
      }),
    }),
    defineRoute({
      operation: 'list-contacts',
      handle: async ({ params, principal }) => {
        const { user } = contactPath(params);
        const listed = await contacts.list(user);
        const views = listed.map((contact) => contactView(contact, user, principal));
        return { body: { data: views.map((view, applyOrder) => ({ ...view, applyOrder })) } };
      },
    }),
    defineRoute({
      operation: 'get-contact',
      handle: async ({ params, principal }) => {
        const path = contactPath(params);
        return { body: { data: contactView(await contacts.get(path), path.user, principal) } };
      },
    }),
    defineRoute({
      operation: 'update-contact',
      body: UpdateContactBody,
      handle: async ({ params, body }) => ({
        body: written('Updated', await contacts.move(contactPath(params), body.to)),
      }),
    }),
    defineRoute({
      operation: 'delete-contact',
      handle: async ({ params, principal }) => {
        const { message } = await contacts.remove(contactPath(params), actorName(principal));
        return { body: { result: 'Deleted', ...(message === undefined ? {} : { message }) } };
      },
    }),
    ...switches(contacts),
    ...confirmation(contactVerification),
    ...registrations({ browsers, devices, telegramDevices }),
  ];
}

/** Devices that show pages (U13, U22). */
function registrations({
  browsers,
  devices,
  telegramDevices,
}: Pick<ContactHandlers, 'browsers' | 'devices' | 'telegramDevices'>): readonly Route[] {
  const registered = async (user: string, { kind, ...body }: RegisterDeviceBody) => {
    if (kind !== 'telegram') {
      const { device, message } = await devices.register(user, { ...body, kind });
      return { data: { ...device }, ...(message === undefined ? {} : { message }) };
    }
    const { expiresAt, ...offered } = await telegramDevices.offer(user, body.name);
    return { data: { ...offered, expiresAt: formatInstant(expiresAt) } };
  };
  return [
    defineRoute({
      operation: 'register-device',
      body: RegisterDeviceBody,
      handle: async ({ params, body }) => ({
        status: 201,
        body: { result: 'Created', ...(await registered(contactPath(params).user, body)) },
      }),
    }),
    defineRoute({
      operation: 'register-browser',
      body: RegisterBrowserBody,
      handle: async ({ params, body }) => ({
        status: 201,
        body: { result: 'Created', data: { ...(await browsers.register(contactPath(params).user, body)) } },
      }),
    }),
  ];
}

const switches = (contacts: Contacts): readonly Route[] =>
  [true, false].map((enabled) =>
    defineRoute({
      operation: enabled ? 'enable-contact' : 'disable-contact',
      handle: async ({ params }) => {
        const path = contactPath(params);
        await contacts.setEnabled(path, enabled);
        return { body: { result: enabled ? 'Enabled' : 'Disabled', data: { id: path.contactId } } };
      },
    }),
  );

const confirmation = (verification: ContactVerification): readonly Route[] => [
  defineRoute({
    operation: 'send-contact-verification',
    handle: async ({ params }) => {
      await verification.send(contactPath(params));
      return { body: { result: 'Requested', data: { id: contactPath(params).contactId } } };
    },
  }),
  defineRoute({
    operation: 'confirm-contact',
    body: ConfirmContactBody,
    handle: async ({ params, body }) => {
      await verification.confirm(contactPath(params), body.code);
      return { body: { result: 'Verified', data: { id: contactPath(params).contactId } } };
    },
  }),
];

function contactPath(params: Readonly<Record<string, string>>): ContactPath {
  return { user: params['userIdentifier'] ?? '', contactId: params['contactId'] ?? '' };
}

function written<Result extends string>(result: Result, { id, message }: ContactAnswer) {
  return { result, data: { id }, ...(message === undefined ? {} : { message }) };
}

/** Stands for an address that the caller may not read. */
const HIDDEN = '*****';

/**
 * The address of a contact of `user`, an id or user name, as the caller may read it. Only the user reads the topic of a device: other
 * callers could read the user's pages with it, and acknowledge alerts as the user (U13).
 */
export function addressView(
  { method, to }: Pick<Contact, 'method' | 'to'>,
  user: string,
  principal: Principal,
): string {
  return method === 'mobile' && !mayActAs(user, principal) ? HIDDEN : to;
}

/** A contact of `user` in answers. `status` says whether the user has enabled it, and why it is not used. */
function contactView(contact: Contact, user: string, principal: Principal) {
  const { id, method, enabled, device } = contact;
  const to = addressView(contact, user, principal);
  const reason = disabledReason(contact);
  const status = { enabled, ...(reason === undefined ? {} : { disabledReason: reason }) };
  return { id, method, to, status, ...(device === undefined ? {} : { device: deviceView(device, contact.to) }) };
}

/** Without the subscription: its endpoint and keys are in no answer (U22). */
const deviceView = ({ name, subscription, verified }: Device, to: string) => ({
  name,
  kind: subscription === undefined ? (pushServiceOf(to)?.service ?? ('ntfy' as const)) : ('web-push' as const),
  verified,
});

/** The id of an account of Telegram. */
const Account = z.string().regex(/^\d{1,20}$/);

/** For notifier: an account of Telegram sent the code of a link to the bot, or wants no more pages (U13). */
export const internalContactRoutes = ({
  telegramDevices,
}: Pick<ContactHandlers, 'telegramDevices'>): readonly InternalRoute[] => [
  defineInternalRoute({
    method: 'POST',
    path: '/internal/telegram-links/uses',
    body: z.object({ code: z.string().max(64), account: Account }),
    handle: async ({ body: { account, code } }) => ({ body: { data: await telegramDevices.link(code, account) } }),
  }),
  defineInternalRoute({
    method: 'POST',
    path: '/internal/telegram-links/removals',
    body: z.object({ account: Account }),
    handle: async ({ body: { account } }) => ({ body: { data: await telegramDevices.unlink(account) } }),
  }),
];
