import { createHash } from 'node:crypto';
import type { ChatOnCall } from '@tocsin/events';
import { instantText } from '../post.ts';
import { oneLine } from '../../messages/safe-text.ts';

/** A user who is on call, and not blocked. */
export interface OnCallUser {
  readonly id: string;
  /** As texts show it. */
  readonly name: string;
  /** The user name. */
  readonly mail: string;
}

/** A schedule, and the users who are on call in it now. */
export interface OnCallSchedule {
  readonly id: string;
  readonly name: string;
  readonly users: readonly OnCallUser[];
}

/** Something that a channel shows of who is on call. It is shown again once its value is another. */
export interface OnCallPart {
  /** Unique among the parts of an integration. Without dots and dollar signs. */
  readonly key: string;
  readonly value: string;
  readonly show:
    | { readonly kind: 'topic'; readonly line: string }
    | { readonly kind: 'announcement'; readonly schedule: OnCallSchedule }
    | { readonly kind: 'group'; readonly group: string; readonly users: readonly OnCallUser[] }
    | { readonly kind: 'notice'; readonly line: string };
}

/** All that the channel of an integration is to show. */
export interface OnCallParts {
  readonly parts: readonly OnCallPart[];
  /** The names of schedules that do not exist any more, or that the team of the integration may not name. */
  readonly missing: readonly string[];
}

/** A part that a channel shows. */
export interface ShownPart {
  readonly value: string;
  /** Of a user group: its members, by their accounts. */
  readonly accounts?: readonly string[];
  /** Of a user group that lacks a user without an account: when accounts are looked up again. */
  readonly recheckAt?: Date;
}

/** Why a part is not shown. */
export interface PartFailure {
  readonly since: Date;
  /** Without secrets. */
  readonly reason: string;
  /** It does not pass by itself. */
  readonly isForGood: boolean;
  readonly tries: number;
  /** It is not tried again before. */
  readonly retryAt: Date;
  /** The last value of the part that was sent without an answer, so the product may show it. */
  readonly unansweredValue?: string;
}

/** What the channel of one integration shows of who is on call, by the keys of its parts. */
export interface ShownOnCall {
  readonly parts: Readonly<Record<string, ShownPart>>;
  readonly failures: Readonly<Record<string, PartFailure>>;
  /** The product asks for no call before. */
  readonly waitUntil?: Date;
}

/** The names of more users are left out of a text. */
const MAX_NAMES = 10;

/**
 * What a channel is to show by `entries`. `schedules` are by id; one that is not there is missing. `place` is that of the channel: in another
 * place all is set again.
 */
export function partsOf(
  entries: readonly ChatOnCall[],
  schedules: ReadonlyMap<string, OnCallSchedule>,
  place: string,
): OnCallParts {
  const found = entries.flatMap((entry) => {
    const schedule = schedules.get(entry.schedule.id);
    return schedule === undefined ? [] : [{ ...entry, schedule }];
  });
  const announced = found.filter(({ announce }) => announce);
  return {
    // Announcements come first: the users of the first look are stored before any call is made.
    parts: [
      ...announced.map(({ schedule }): OnCallPart => ({
        key: `announcement:${schedule.id}`,
        value: idsOf(schedule.users),
        show: { kind: 'announcement', schedule },
      })),
      ...topicOf(
        found.filter(({ topic }) => topic).map(({ schedule }) => schedule),
        place,
      ),
      ...groupsOf(found, place),
    ],
    missing: entries.filter(({ schedule }) => !schedules.has(schedule.id)).map(({ schedule }) => schedule.name),
  };
}

function topicOf(schedules: readonly OnCallSchedule[], place: string): readonly OnCallPart[] {
  if (schedules.length === 0) return [];
  const each = schedules.map(({ name, users }) => `${name}: ${users.length === 0 ? 'no user' : namesOf(users)}`);
  const line = oneLine(`On call: ${each.join(' · ')}`);
  return [{ key: 'topic', value: digestOf(place, line), show: { kind: 'topic', line } }];
}

interface FoundEntry extends Pick<ChatOnCall, 'userGroup'> {
  readonly schedule: OnCallSchedule;
}

/** A group has the users on call in all schedules that name it. */
function groupsOf(found: readonly FoundEntry[], place: string): readonly OnCallPart[] {
  const byGroup = Map.groupBy(found, ({ userGroup = '' }) => userGroup);
  byGroup.delete('');
  return [...byGroup].map(([group, entries]) => {
    const all = entries.flatMap(({ schedule }) => schedule.users);
    const users = [...new Map(all.map((user) => [user.id, user])).values()];
    if (users.length > 0)
      return { key: `group:${group}`, value: digestOf(place, idsOf(users)), show: { kind: 'group', group, users } };
    const names = entries.map(({ schedule }) => schedule.name).join(', ');
    const line = oneLine(`No user is on call in ${names}. The user group ${group} keeps its members.`);
    return { key: `empty:${group}`, value: 'empty', show: { kind: 'notice', line } };
  });
}

/** The message that the users on call in a schedule changed. `before`: the names of those before. `until`: when they change next. */
export function announcementOf(
  { name, users }: OnCallSchedule,
  { before, until }: { readonly before: readonly string[]; readonly until: string | undefined },
): string {
  const now =
    users.length === 0
      ? `No user is on call in ${name}`
      : `${namesOf(users)} ${users.length === 1 ? 'is' : 'are'} on call in ${name}`;
  const end = until === undefined ? '' : ` until ${instantText(until)}`;
  return oneLine(`${now}${end}. Before: ${before.length === 0 ? 'no user' : listed(before)}.`);
}

const namesOf = (users: readonly OnCallUser[]): string => listed(users.map(({ name }) => name));

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return [...names.slice(0, MAX_NAMES), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

const idsOf = (users: readonly OnCallUser[]): string =>
  users
    .map(({ id }) => id)
    .toSorted()
    .join(',');

/** The ids in the value of an announcement. */
export const idsIn = (value: string): readonly string[] => (value === '' ? [] : value.split(','));

/** Of texts only a digest is stored: names of users are theirs. */
const digestOf = (...texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('base64url');
