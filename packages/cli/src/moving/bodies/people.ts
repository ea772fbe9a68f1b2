import { createHash } from 'node:crypto';
import { type Json, numberIn, objectIn, textIn } from '../json.ts';
import type { Thing } from '../kinds.ts';
import type { ImportBody, Side } from './body.ts';
import { criteria, defined, Fields, flagIn, instant, minutes, saysNothing, timeRestriction } from './fields.ts';
import { type Lost, reportLeft } from './lost.ts';

const FIXED_ROLES: ReadonlySet<string> = new Set(['owner', 'admin', 'user']);

export function role(id: string, { value }: Thing, lost: Lost): readonly ImportBody[] {
  const fields = new Fields(value, 'id', 'name');
  const name = textIn(value, 'name') ?? id;
  const body = {
    name,
    extendedRole: (fields.text('extendedRole') ?? 'user').toLowerCase(),
    grantedRights: fields.texts('grantedRights'),
    disallowedRights: fields.texts('disallowedRights'),
  };
  reportLeft(fields, lost);
  return [{ kind: 'roles', id, name, body }];
}

/** A user with their contacts, and their notification rules. */
export function user(id: string, thing: Thing, side: Side, lost: Lost): readonly ImportBody[] {
  const { parts, value } = thing;
  const shown = ['id', 'verified', 'createdAt', 'userContacts', 'insertedAt', 'lastLogin'];
  const fields = new Fields(value, ...shown);
  const username = (fields.text('username') ?? '').trim().toLowerCase();
  const isBlocked = fields.flag('blocked', false);
  if (isBlocked) lost('The user is blocked: Tocsin blocks no user, so all contacts are moved disabled.');
  const contacts = contactsOf(id, username, parts['contacts'] ?? [], lost);
  const zones = [fields.text('timeZone'), fields.text('timezone'), side.zone];
  const body = defined({
    username,
    fullName: fields.text('fullName') ?? username,
    role: roleOf(fields.object('role'), side, lost),
    skypeUsername: fields.text('skypeUsername'),
    userAddress: addressOf(fields.object('userAddress')),
    tags: fields.texts('tags'),
    details: detailsOf(fields.object('details')),
    timeZone: zones.find((zone) => zone !== undefined),
    locale: (fields.text('locale') ?? side.locale)?.replace('-', '_'),
    mutedUntil: instant(fields.text('mutedUntil')),
    contacts: isBlocked ? contacts.map((contact) => ({ ...contact, enabled: false })) : contacts,
  });
  reportLeft(fields, lost);
  const rules = { rules: notificationRules(parts['notificationRules'] ?? [], lost) };
  return [
    { kind: 'users', id, name: username, body },
    { kind: 'notification-rules', id, name: username, body: rules },
  ];
}

function roleOf(found: Json | undefined, { roles }: Side, lost: Lost): Json {
  const [id, name = 'user'] = [textIn(found, 'id'), textIn(found, 'name')];
  if (id !== undefined && roles.has(id)) return { id };
  // In its spelling: Terraform compares the name letter by letter.
  if (FIXED_ROLES.has(name.toLowerCase())) return { name };
  lost(`The role [${name}] is none of Tocsin and no custom role: the user gets the role user.`);
  return { name: 'user' };
}

const ADDRESS = ['country', 'state', 'city', 'line', 'zipCode'];

function addressOf(value: Json | undefined): Json | undefined {
  if (saysNothing(value)) return undefined;
  return Object.fromEntries(ADDRESS.map((part) => [part, textIn(value, part) ?? '']));
}

const detailsOf = (value: Json = {}): Json =>
  Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, Array.isArray(each) ? each.map(String) : [String(each)]]),
  );

/** The id of the contact that Tocsin adds: the same in each run. */
function madeId(of: string): string {
  const hex = createHash('sha256').update(of).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

function contactsOf(id: string, username: string, all: readonly Json[], lost: Lost): readonly Json[] {
  const inOrder = [...all].sort((a, b) => (numberIn(a, 'applyOrder') ?? 0) - (numberIn(b, 'applyOrder') ?? 0));
  const contacts = inOrder.flatMap((contact) => {
    const [method = '', to = ''] = [textIn(contact, 'method')?.toLowerCase(), textIn(contact, 'to')];
    if (method === 'mobile') {
      lost(
        `The device [${to}] is not moved: it belongs to the app of the vendor. The user registers a device in Tocsin.`,
      );
      return [];
    }
    const enabled = flagIn(objectIn(contact, 'status') ?? contact, 'enabled', true);
    return [{ id: textIn(contact, 'id'), method, to, enabled }];
  });
  const hasOwn = contacts.some(({ method, to }) => method === 'email' && to.toLowerCase() === username);
  if (hasOwn) return contacts.map(defined);
  // Where Tocsin would put it.
  const own = { id: madeId(`contact of ${id}`), method: 'email', to: username, enabled: true };
  return [own, ...contacts.map(defined)];
}

/** By action type, then in their order: the order of rules of different types means nothing. */
function notificationRules(all: readonly Json[], lost: Lost): readonly Json[] {
  const placed = all.map((rule, at) => ({ rule, at, type: (textIn(rule, 'actionType') ?? '').toLowerCase() }));
  const orderOf = (rule: Json): number => numberIn(rule, 'order') ?? 0;
  placed.sort((a, b) => a.type.localeCompare(b.type) || orderOf(a.rule) - orderOf(b.rule) || a.at - b.at);
  return placed.map(({ rule, type }) => notificationRule(rule, type, lost));
}

function notificationRule(rule: Json, actionType: string, lost: Lost): Json {
  const fields = new Fields(rule, 'id', 'actionType', 'order', '_parent');
  const name = fields.text('name') ?? actionType;
  const isOfShifts = ['schedule-start', 'schedule-end'].includes(actionType);
  const [schedules, times] = [fields.objects('schedules'), fields.texts('notificationTime')];
  const body = defined({
    id: textIn(rule, 'id'),
    name,
    actionType,
    enabled: fields.flag('enabled', true),
    criteria: criteria(fields.object('criteria')),
    notificationTime: isOfShifts ? times : undefined,
    schedules: isOfShifts && schedules.length > 0 ? schedules.map((each) => ({ id: textIn(each, 'id') })) : undefined,
    timeRestriction: timeRestriction(fields.object('timeRestriction')),
    steps: fields.objects('steps').map(step),
    repeat: repeatOf(fields.object('repeat')),
  });
  for (const field of fields.left())
    lost(`[${field}] of notification rule [${name}] is not moved: Tocsin has no such field.`);
  return body;
}

const step = (item: Json): Json =>
  defined({
    id: textIn(item, 'id'),
    contact: { method: textIn(item['contact'], 'method')?.toLowerCase(), to: textIn(item['contact'], 'to') },
    sendAfter: minutes(item['sendAfter'] ?? 0),
    enabled: flagIn(item, 'enabled', true),
  });

function repeatOf(value: Json | undefined): Json | undefined {
  const loopAfter = numberIn(value, 'loopAfter') ?? 0;
  return loopAfter > 0 ? { loopAfter, enabled: flagIn(value, 'enabled', true) } : undefined;
}
