import { MEDIUM_BODY, SMALL_BODY, type Operation } from './operation.ts';

const read = { right: 'read-configuration', domain: 'configuration', owner: 'directory' } as const;
/** People belong to the account, so no team key changes them, their contacts or their rules (K8). */
const write = {
  right: 'write-configuration',
  domain: 'configuration',
  owner: 'directory',
  teamKeys: 'refused',
} as const;
/** What scheduling knows about a user. */
const duty = { right: 'read-configuration', domain: 'configuration', owner: 'scheduling' } as const;

const USER = '/v2/users/{identifier}';
const CONTACTS = '/v2/users/{userIdentifier}/contacts';
const CONTACT = `${CONTACTS}/{contactId}`;
const RULES = '/v2/users/{userIdentifier}/notification-rules';
const RULE = `${RULES}/{ruleId}`;
const STEPS = `${RULE}/steps`;
const STEP = `${STEPS}/{stepId}`;

/** Part 3, 4.1. */
export const USER_OPERATIONS = [
  { ...write, ...MEDIUM_BODY, id: 'create-user', method: 'POST', path: '/v2/users', summary: 'Creates a user' },
  { ...read, id: 'list-users', method: 'GET', path: '/v2/users', summary: 'Lists or searches users' },
  { ...read, id: 'get-user', method: 'GET', path: USER, summary: 'Reads a user' },
  { ...write, ...MEDIUM_BODY, id: 'update-user', method: 'PATCH', path: USER, summary: 'Changes a user' },
  { ...write, ...SMALL_BODY, id: 'delete-user', method: 'DELETE', path: USER, summary: 'Deletes a user' },
  { ...read, id: 'list-user-teams', method: 'GET', path: `${USER}/teams`, summary: 'Lists the teams of a user' },
  {
    ...duty,
    id: 'list-user-escalations',
    method: 'GET',
    path: `${USER}/escalations`,
    summary: 'Lists the escalations that name a user',
  },
  {
    ...duty,
    id: 'list-user-schedules',
    method: 'GET',
    path: `${USER}/schedules`,
    summary: 'Lists the schedules of a user',
  },
  {
    ...duty,
    id: 'list-user-forwarding-rules',
    method: 'GET',
    path: `${USER}/forwarding-rules`,
    summary: 'Lists the forwarding rules of a user',
  },
] as const satisfies readonly Operation[];

/** Part 3, 4.2, the confirmation of contacts (U3) and the registration of devices (U13). */
export const CONTACT_OPERATIONS = [
  {
    ...write,
    ...SMALL_BODY,
    id: 'create-contact',
    method: 'POST',
    path: CONTACTS,
    summary: 'Adds a contact to a user',
  },
  { ...read, id: 'list-contacts', method: 'GET', path: CONTACTS, summary: 'Lists the contacts of a user' },
  { ...read, id: 'get-contact', method: 'GET', path: CONTACT, summary: 'Reads a contact' },
  {
    ...write,
    ...SMALL_BODY,
    id: 'update-contact',
    method: 'PATCH',
    path: CONTACT,
    summary: 'Changes the address of a contact',
  },
  { ...write, ...SMALL_BODY, id: 'delete-contact', method: 'DELETE', path: CONTACT, summary: 'Deletes a contact' },
  {
    ...write,
    ...SMALL_BODY,
    id: 'enable-contact',
    method: 'POST',
    path: `${CONTACT}/enable`,
    summary: 'Enables a contact',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'disable-contact',
    method: 'POST',
    path: `${CONTACT}/disable`,
    summary: 'Disables a contact',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'send-contact-verification',
    method: 'POST',
    path: `${CONTACT}/verification`,
    summary: 'Sends the code that confirms a contact',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'confirm-contact',
    method: 'POST',
    path: `${CONTACT}/verification/confirm`,
    summary: 'Confirms a contact by its code',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'register-device',
    method: 'POST',
    path: '/v2/users/{userIdentifier}/devices',
    summary: 'Registers a device for push messages',
  },
] as const satisfies readonly Operation[];

const copyRules = { ...write, path: `${RULES}/copy-to`, summary: 'Copies notification rules to other users' } as const;

/** Part 3, 4.3 and 4.4, and wire facts 5. */
export const NOTIFICATION_RULE_OPERATIONS = [
  {
    ...write,
    ...MEDIUM_BODY,
    id: 'create-notification-rule',
    method: 'POST',
    path: RULES,
    summary: 'Creates a notification rule',
  },
  {
    ...read,
    id: 'list-notification-rules',
    method: 'GET',
    path: RULES,
    summary: 'Lists the notification rules of a user',
  },
  { ...read, id: 'get-notification-rule', method: 'GET', path: RULE, summary: 'Reads a notification rule' },
  {
    ...write,
    ...MEDIUM_BODY,
    id: 'update-notification-rule',
    method: 'PATCH',
    path: RULE,
    summary: 'Changes a notification rule',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'delete-notification-rule',
    method: 'DELETE',
    path: RULE,
    summary: 'Deletes a notification rule',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'enable-notification-rule',
    method: 'POST',
    path: `${RULE}/enable`,
    summary: 'Enables a notification rule',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'disable-notification-rule',
    method: 'POST',
    path: `${RULE}/disable`,
    summary: 'Disables a notification rule',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'change-notification-rule-order',
    method: 'POST',
    path: `${RULE}/change-order`,
    summary: 'Moves a notification rule',
  },
  { ...copyRules, ...MEDIUM_BODY, id: 'copy-notification-rules', method: 'PATCH' },
  { ...copyRules, ...MEDIUM_BODY, id: 'copy-notification-rules-by-post', method: 'POST' },

  {
    ...write,
    ...MEDIUM_BODY,
    id: 'create-notification-step',
    method: 'POST',
    path: STEPS,
    summary: 'Adds a step to a rule',
  },
  { ...read, id: 'list-notification-steps', method: 'GET', path: STEPS, summary: 'Lists the steps of a rule' },
  { ...read, id: 'get-notification-step', method: 'GET', path: STEP, summary: 'Reads a step' },
  { ...write, ...MEDIUM_BODY, id: 'update-notification-step', method: 'PATCH', path: STEP, summary: 'Changes a step' },
  { ...write, ...SMALL_BODY, id: 'delete-notification-step', method: 'DELETE', path: STEP, summary: 'Deletes a step' },
  {
    ...write,
    ...SMALL_BODY,
    id: 'enable-notification-step',
    method: 'POST',
    path: `${STEP}/enable`,
    summary: 'Enables a step',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'disable-notification-step',
    method: 'POST',
    path: `${STEP}/disable`,
    summary: 'Disables a step',
  },
] as const satisfies readonly Operation[];
