import { createHash } from 'node:crypto';
import ical, { ICalCalendarMethod, type ICalEventData, ICalEventTransparency } from 'ical-generator';
import { v5 as uuidV5 } from 'uuid';
import { IdentifierQuery } from '@tocsin/api';
import { type Clock, longWork, NotFoundError } from '@tocsin/core';
import { type Admission, defineRoute, type FileReply, type Route, type Principal } from '@tocsin/http';
import { type Identifier, identifierOf } from '../configuration/reference-operations.ts';
import type { Snapshots } from '../configuration/snapshot-operations.ts';
import { nameIn, type Snapshot } from '../configuration/snapshot.ts';
import type { Schedules } from '../schedules/operations.ts';
import { scheduleAnswer } from '../schedules/routes.ts';
import type { Schedule } from '../schedules/schedule.ts';
import type { Calendar, Calendars } from './calendar-operations.ts';
import type { CalendarShift } from './calendar-shifts.ts';

/** What the routes need. */
export interface CalendarRoutesOptions {
  readonly calendars: Calendars;
  readonly schedules: Schedules;
  readonly snapshots: Snapshots;
  /** Finds the user whose calendar a link opens (S16). */
  readonly links: { userOf(token: string): Promise<string> };
  readonly clock: Clock;
  /** Limits the calendars that callers with a key read. */
  readonly pool: Admission;
  /** Limits the calendars that links open, for each user with a link. */
  readonly linkPool: Admission;
}

/** Part 2, 4.3 and 4.6: the paths that end in `.ics`. */
export function calendarRoutes(options: CalendarRoutesOptions): readonly Route[] {
  const { calendars, clock, linkPool, links, pool, schedules, snapshots } = options;
  return [
    defineRoute({
      operation: 'export-schedule',
      pool,
      query: IdentifierQuery,
      handle: async ({ params, query, principal }) => {
        const [now, caller] = [clock.now(), principal];
        const identifier = identifierOf(params['identifier'], query);
        try {
          return await calendarFile(await calendars.ofSchedule(identifier, now, caller), now);
        } catch (error) {
          if (!(error instanceof NotFoundError)) throw error;
          const schedule = await findByFileName(schedules, identifier, caller);
          if (schedule === undefined) throw error;
          return scheduleAnswer(schedule, snapshots);
        }
      },
    }),
    defineRoute({
      operation: 'export-on-calls',
      pool,
      handle: async ({ params, principal }) => {
        const now = clock.now();
        return await calendarFile(await calendars.ofUser(params['identifier'] ?? '', now, principal), now);
      },
    }),
    defineRoute({
      operation: 'open-calendar-link',
      handle: async ({ params }) => {
        const userId = await links.userOf(params['token'] ?? '');
        return linkPool.run(userId, async () => {
          const now = clock.now();
          return calendarFile(await calendars.ofUser(userId, now, undefined), now);
        });
      },
    }),
  ];
}

/** The schedule whose name is the whole last part of the path, `.ics` included; undefined where there is none. */
async function findByFileName(
  schedules: Schedules,
  { type, value }: Identifier,
  caller: Principal,
): Promise<Schedule | undefined> {
  if (type !== 'name') return undefined;
  return schedules.get({ type, value: `${value}.ics` }, caller).catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
}

/** The ids of events contain this and the shift. */
const EVENT_NAMESPACE = '3f0f1f55-9d1a-4b0f-9a52-6f7a0c3a8d21';

/** How often a client that has subscribed should refresh. */
const REFRESH_SECONDS = 3_600;

/** How many events are written before the event loop runs again: this process also pages users. */
const EVENTS_PER_PART = 50;

/**
 * A calendar as a file: one event per shift, in UTC (S8).
 *
 * A shift keeps its UID from one file to the next; SEQUENCE grows with every write of its schedule, and DTSTAMP says when
 * the file was made.
 */
async function calendarFile({ name, entries, snapshot }: Calendar, now: Date): Promise<FileReply> {
  const empty = calendarText(name, []);
  const end = empty.lastIndexOf(END);
  const parts = [empty.slice(0, end)];
  const hash = createHash('sha256').update(empty);
  const events = entries.flatMap(({ schedule, shifts }) => shifts.map((shift) => ({ schedule, shift })));
  for (let first = 0; first < events.length; first += EVENTS_PER_PART) {
    const part = events.slice(first, first + EVENTS_PER_PART);
    const text = calendarText(
      name,
      part.map(({ schedule, shift }) => eventOf(shift, schedule, snapshot, now)),
    );
    const lines = text.slice(end, text.lastIndexOf(END));
    parts.push(lines);
    // The hash leaves out the instant of the file, so that equal calendars have the same.
    hash.update(lines.replaceAll(/^DTSTAMP:.*$/gm, ''));
    await longWork.pause();
  }
  parts.push(empty.slice(end));
  const etag = `W/"${hash.digest('base64url')}"`;
  return { file: { name: `${name}.ics`, type: 'text/calendar; charset=utf-8', content: parts.join(''), etag } };
}

const END = 'END:VCALENDAR';

function calendarText(name: string, events: readonly ICalEventData[]): string {
  const calendar = ical({
    name: calendarName(name),
    method: ICalCalendarMethod.PUBLISH,
    prodId: { company: 'Tocsin', product: 'On-call calendar', language: 'EN' },
    ttl: REFRESH_SECONDS,
  });
  for (const event of events) calendar.createEvent(event);
  return calendar.toString();
}

function eventOf(shift: CalendarShift, schedule: Schedule, snapshot: Snapshot, now: Date): ICalEventData {
  const { key, from, until, recipient, fromUserId, type, rotation } = shift;
  const notes = [
    rotation.name === '' ? '' : `Rotation: ${rotation.name}`,
    type === 'override' ? 'By an override' : '',
    fromUserId === undefined ? '' : `Forwarded from: ${nameOf({ type: 'user', id: fromUserId }, snapshot)}`,
  ];
  return {
    id: `${uuidV5(key, EVENT_NAMESPACE)}@tocsin`,
    sequence: schedule.version.n,
    stamp: now,
    start: new Date(from),
    end: new Date(until),
    summary: printable(`${nameOf(recipient, snapshot)} on call: ${schedule.name}`),
    description: printable(notes.filter((note) => note !== '').join('\n')),
    // A user on call is not busy.
    transparency: ICalEventTransparency.TRANSPARENT,
  };
}

function nameOf(recipient: CalendarShift['recipient'], snapshot: Snapshot): string {
  if (recipient.type === 'none') return 'No user';
  const name = nameIn(snapshot, recipient) ?? recipient.id;
  if (recipient.type === 'user') return name;
  return `${recipient.type === 'team' ? 'Team' : 'Escalation'} ${name}`;
}

/** The library writes the name of a calendar as it is, unlike other texts. */
const calendarName = (name: string): string =>
  `On call: ${printable(name)
    .replaceAll('\n', ' ')
    .replace(/[\\;,]/g, String.raw`\$&`)}`;

/** Names may hold control characters; the only one that a calendar can carry is the line feed. */
const printable = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]/gu, ' ');
