import type { ActionType } from '@tocsin/events';
import type { User } from '../users/user.ts';
import {
  excess,
  type NotificationRule,
  type NotificationRules,
  type NotificationStep,
  ofType,
  withType,
} from './notification-rule.ts';

/** A user who gets copies. */
export type CopyTarget = Pick<User, 'id' | 'username' | 'contacts'>;

/** The rules to copy, and the further input. */
export interface RuleCopy {
  readonly rules: NotificationRules;
  readonly actionTypes: readonly ActionType[];
  /** Schedule id -> ids of the users whose own schedule it is (U12). */
  readonly ownersOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** The id of the copy of a rule or step at a user. A repeated copy has the same id. */
  readonly idOf: (target: CopyTarget, original: string) => string;
}

/** The user with the copies, and the left-out parts, in sentences. */
export interface CopiedRules {
  readonly user: User;
  readonly leftOut: readonly string[];
}

/**
 * The user with copies of the rules, which replace all their rules of the same type (U12).
 *
 * Each step goes to the user's first contact of its method, and is left out where there is none; a schedule is left out where it is not
 * theirs. A rule of which no step or no schedule is left would notify of nothing, or of something else, so it is left out as a whole;
 * where a type is left with no rule at all, the user's own rules of that type stay.
 */
export function withCopies(target: User, copy: RuleCopy): CopiedRules {
  const { made, leftOut } = copiesFor(target, copy);
  const rules = copy.actionTypes.reduce((present, actionType) => {
    const sequence = ofType(made, actionType);
    return sequence.length === 0 ? present : withType(present, actionType, sequence);
  }, target.notificationRules);
  const obstacle = excess(rules);
  if (obstacle !== undefined) return { user: target, leftOut: [`${target.username}: nothing is copied. ${obstacle}`] };
  return { user: { ...target, notificationRules: rules }, leftOut };
}

/** Names what of the copies a user will not get, in sentences. Cheap where the user gets all. */
export function leftOutOf(copy: RuleCopy): (target: CopyTarget) => readonly string[] {
  const needed = [...new Set(copy.rules.flatMap(({ steps }) => steps.map(({ contact }) => contact.method)))];
  const ofAnyone = copy.rules.every(({ scheduleIds = [] }) => scheduleIds.length === 0);
  const withoutIds = { ...copy, idOf: (_: CopyTarget, original: string) => original };
  return (target) => {
    const reached = needed.every((needs) => target.contacts.some(({ method }) => method === needs));
    return ofAnyone && reached ? [] : copiesFor(target, withoutIds).leftOut;
  };
}

function copiesFor(target: CopyTarget, copy: RuleCopy) {
  const copies = copy.actionTypes.flatMap((actionType) =>
    ofType(copy.rules, actionType).map((rule) => copyOf(rule, target, copy)),
  );
  return {
    made: copies.flatMap(({ rule }) => rule ?? []),
    leftOut: copies.flatMap(({ leftOut }) => leftOut.map((what) => `${target.username}: ${what}`)),
  };
}

interface Copied {
  readonly rule: NotificationRule | undefined;
  readonly leftOut: readonly string[];
}

function copyOf(original: NotificationRule, target: CopyTarget, copy: RuleCopy): Copied {
  const { scheduleIds = [], ...rest } = original;
  const own = scheduleIds.filter((id) => copy.ownersOf.get(id)?.has(target.id));
  if (own.length === 0 && scheduleIds.length > 0)
    return { rule: undefined, leftOut: [`rule [${original.name}] is left out, for none of its schedules is theirs.`] };
  const steps = original.steps.flatMap((step) => stepAt(target, step, copy) ?? []);
  const lost = original.steps.filter((step) => firstContact(target, step) === undefined);
  if (steps.length === 0 && lost.length > 0)
    return {
      rule: undefined,
      leftOut: [`rule [${original.name}] is left out, for they have no ${methods(lost)} contact.`],
    };
  const rule = { ...rest, id: copy.idOf(target, original.id), ...(own.length > 0 ? { scheduleIds: own } : {}), steps };
  const leftOut = lost.length === 0 ? [] : [`${methods(lost)} steps of rule [${original.name}] are left out.`];
  return { rule, leftOut };
}

function stepAt(target: CopyTarget, step: NotificationStep, { idOf }: RuleCopy): NotificationStep | undefined {
  const contact = firstContact(target, step);
  return contact && { ...step, id: idOf(target, step.id), contact: { method: contact.method, to: contact.to } };
}

const firstContact = ({ contacts }: CopyTarget, { contact }: NotificationStep) =>
  contacts.find(({ method }) => method === contact.method);

const methods = (steps: readonly NotificationStep[]): string =>
  [...new Set(steps.map(({ contact }) => contact.method))].join(' or ');

/** Gives a user the copies. Returns the same user where nothing changes. */
export type CopyRules = (user: User) => User;

/** How many users are changed in one transaction, for which other writers of configuration wait. */
export const USERS_PER_WRITE = 50;

/** Notification rules that are being copied to many users, some of whom do not have them yet. */
export interface PendingCopy {
  readonly id: string;
  /** The user whose rules they are. */
  readonly sourceId: string;
  /** As they were at the beginning. */
  readonly rules: NotificationRules;
  readonly actionTypes: readonly ActionType[];
  /** The ids of the users who get them; undefined: all users. */
  readonly among: readonly string[] | undefined;
  /** The users up to this id have them; undefined: no user yet. */
  readonly after: string | undefined;
}
