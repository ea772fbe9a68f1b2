import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import ical, { ICalCalendarMethod, ICalEventTransparency, type ICalEventData } from 'ical-generator';
import { v5 as uuidV5 } from 'uuid';
import type { FileReply } from '@tocsin/http';
import type { Calendar } from '../application/calendars.ts';
import type { Schedule } from '../domain/schedule.ts';
import type { Shift } from '../domain/shifts.ts';
import { nameIn, type Snapshot } from '../domain/snapshot.ts';

/** What the ids of events are made from, together with the shift. */
const EVENT_NAMESPACE = '3f0f1f55-9d1a-4b0f-9a52-6f7a0c3a8d21';

/** How often a client that has subscribed should ask again. */
const REFRESH_SECONDS = 3_600;

/** Events that are written before the event loop runs again: this process also settles events that page people. */
const EVENTS_OF_PART = 50;

/**
 * A calendar as a file: one event per shift, in UTC (S8).
 *
 * A shift keeps its UID from one file to the next; SEQUENCE grows with every write of its schedule, and DTSTAMP says when
 * the file was made.
 */
export async function calendarFile({ name, entries, snapshot }: Calendar, now: Date): Promise<FileReply> {
  const empty = writtenCalendar(name, []);
  const end = empty.lastIndexOf(END);
  const parts = [empty.slice(0, end)];
  const events = entries.flatMap(({ schedule, shifts }) => shifts.map((shift) => ({ schedule, shift })));
  for (let first = 0; first < events.length; first += EVENTS_OF_PART) {
    const part = events.slice(first, first + EVENTS_OF_PART);
    const written = writtenCalendar(
      name,
      part.map(({ schedule, shift }) => eventOf(shift, schedule, snapshot, now)),
    );
    parts.push(written.slice(end, written.lastIndexOf(END)));
    await setImmediate();
  }
  parts.push(empty.slice(end));
  const etag = etagOf(parts);
  await setImmediate();
  return { file: { name: `${name}.ics`, type: 'text/calendar; charset=utf-8', content: parts.join(''), etag } };
}

const END = 'END:VCALENDAR';

function writtenCalendar(name: string, events: readonly ICalEventData[]): string {
  const calendar = ical({
    name: calendarName(name),
    method: ICalCalendarMethod.PUBLISH,
    prodId: { company: 'Tocsin', product: 'On-call calendar', language: 'EN' },
    ttl: REFRESH_SECONDS,
  });
  for (const event of events) calendar.createEvent(event);
  return calendar.toString();
}

/** The same for files that differ in the instant at which they were made alone. */
function etagOf(parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part.replaceAll(/^DTSTAMP:.*$/gm, ''));
  return `W/"${hash.digest('base64url')}"`;
}

function eventOf(shift: Shift, schedule: Schedule, snapshot: Snapshot, now: Date): ICalEventData {
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

function nameOf(recipient: Shift['recipient'], snapshot: Snapshot): string {
  if (recipient.type === 'none') return 'Nobody';
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
