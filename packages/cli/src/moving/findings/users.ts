import { type Json, objectIn, objectsIn, textIn } from '../json.ts';
import type { SnapshotRecord } from '../snapshot/part-file.ts';
import type { Finding } from './finding.ts';

const ADD_CONTACT = 'Add a contact of the user, or verify or enable one.';

/** A user whom no alert can page. Users who are blocked have left. */
export function userFinding({ id, parts, value }: SnapshotRecord): Finding | undefined {
  if (value['blocked'] === true) return undefined;
  const name = textIn(value, 'username') ?? id;
  const about = { severity: 'error', entity: { kind: 'users', id, name } } as const;
  const contacts = parts['contacts'] ?? [];
  const usable = contacts.filter(isEnabled);
  if (usable.length === 0)
    return {
      ...about,
      kind: 'user-without-contact',
      message: `An alert sends no message to ${name}: ${contacts.length === 0 ? 'the user has no contact' : 'no contact of the user is enabled and verified'}.`,
      remedy: ADD_CONTACT,
    };
  const addresses = new Set(usable.map(addressOf));
  if ((parts['notificationRules'] ?? []).some((rule) => mayPage(rule, addresses))) return undefined;
  return {
    ...about,
    kind: 'user-without-rule',
    message: `A new alert sends no message to ${name}: no notification rule for new alerts is enabled and has a step to a contact that is enabled and verified.`,
    remedy: 'Add a notification rule for new alerts with a step to such a contact.',
  };
}

/** A contact that is not verified is not enabled either. */
const isEnabled = (contact: Json): boolean => objectIn(contact, 'status')?.['enabled'] === true;
const addressOf = (contact: Json | undefined): string =>
  `${textIn(contact, 'method') ?? ''} ${textIn(contact, 'to') ?? ''}`;

const mayPage = (rule: Json, addresses: ReadonlySet<string>): boolean =>
  rule['enabled'] !== false &&
  textIn(rule, 'actionType') === 'create-alert' &&
  objectsIn(rule, 'steps').some(
    (step) => step['enabled'] !== false && addresses.has(addressOf(objectIn(step, 'contact'))),
  );
