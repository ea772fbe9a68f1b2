import { ConfirmContactBody, CreateContactBody, RegisterDeviceBody, UpdateContactBody } from '@tocsin/api';
import { defineRoute, mayActAs, type Route, actorName } from '@tocsin/http';
import { type Contact, type ContactPath, disabledReason, shownTo } from './contact.ts';
import type { ContactAnswer, Contacts, Devices } from './operations.ts';
import type { ContactVerification } from './verification-operations.ts';

export interface ContactHandlers {
  readonly contacts: Contacts;
  readonly contactVerification: ContactVerification;
  readonly devices: Devices;
}

/** `/v2/users/{userIdentifier}/contacts` (part 3, 4.2; U3) and `/devices` (U13). */
export function contactRoutes({ contacts, contactVerification, devices }: ContactHandlers): readonly Route[] {
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
        const isOwn = mayActAs(user, principal);
        return {
          body: { data: listed.map((contact, applyOrder) => ({ ...contactView(contact, isOwn), applyOrder })) },
        };
      },
    }),
    defineRoute({
      operation: 'get-contact',
      handle: async ({ params, principal }) => {
        const path = contactPath(params);
        return { body: { data: contactView(await contacts.get(path), mayActAs(path.user, principal)) } };
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
    defineRoute({
      operation: 'register-device',
      body: RegisterDeviceBody,
      handle: async ({ params, body }) => ({
        status: 201,
        body: { result: 'Created', data: { ...(await devices.register(contactPath(params).user, body)) } },
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

/** A contact as answers show one: whether its owner wants it used, and why it is not where it is not. */
function contactView(contact: Contact, isOwn: boolean) {
  const { id, method, enabled, device } = contact;
  const to = shownTo(contact, isOwn);
  const reason = disabledReason(contact);
  const status = { enabled, ...(reason === undefined ? {} : { disabledReason: reason }) };
  return { id, method, to, status, ...(device === undefined ? {} : { device }) };
}
