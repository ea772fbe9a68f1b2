import { CallError } from '../api/call-error.ts';
import type { CallRequest } from '../api/call.ts';
import { fieldText } from '../api/problem-text.ts';
import { restrictionText, type TimeRestriction } from '../conditions/time-restriction.ts';
import { responderOf, responderText } from '../people/people.ts';
import { pathOf, type RotationBody, type Schedule, type WrittenParticipant } from './queries.ts';
import { timeText } from './time-text.ts';
import { fieldOf, instantOfField, type WallField } from './wall-field.ts';
import { dateAt, DAY_MS, HOUR_MS } from './zone.ts';

export type Rotation = Schedule['rotations'][number];
type Participant = Rotation['participants'][number];
export type RotationType = Rotation['type'];

/** A participant as the form of a rotation has it. */
export interface ParticipantForm {
  /** Who it is, as a person types it. */
  readonly to: string;
  /** Whether no one is on call in this turn. */
  readonly isNoOne: boolean;
  /** What it was before it was typed over. */
  readonly was: Participant | undefined;
}

/** A rotation as its form has it. */
export interface RotationForm {
  readonly name: string;
  readonly type: RotationType;
  readonly length: string;
  readonly from: WallField;
  readonly hasEnd: boolean;
  readonly until: WallField;
  readonly participants: readonly ParticipantForm[];
  readonly timeRestriction: TimeRestriction | undefined;
}

export const NEW_PARTICIPANT: ParticipantForm = { to: '', isNoOne: false, was: undefined };

const WEEK_MS = 7 * DAY_MS;
const TYPE_MS: Readonly<Record<RotationType, number>> = { hourly: HOUR_MS, daily: DAY_MS, weekly: WEEK_MS };
const UNITS: Readonly<Record<RotationType, string>> = { hourly: 'hour', daily: 'day', weekly: 'week' };

/** A weekly rotation of one user from the hour that has just begun, so that they are on call at once. */
export function newRotation(now: number, zone: string, username: string): RotationForm {
  const from = Math.floor(now / HOUR_MS) * HOUR_MS;
  return {
    name: '',
    type: 'weekly',
    length: '1',
    from: fieldOf(from, zone),
    hasEnd: false,
    until: fieldOf(from + 4 * WEEK_MS, zone),
    participants: [{ to: username, isNoOne: false, was: undefined }],
    timeRestriction: undefined,
  };
}

/** A participant as a person types it. One that was deleted has no name. */
function participantText(participant: Participant): string {
  if (participant.type === 'none') return '';
  if (participant.type === 'user') return participant.username ?? `deleted user ${participant.id}`;
  return responderText(participant.type, participant.name ?? `deleted, ${participant.id}`);
}

export function rotationFormOf(rotation: Rotation, zone: string): RotationForm {
  const { endDate, length, name, participants, startDate, timeRestriction, type } = rotation;
  const from = Date.parse(startDate);
  return {
    name,
    type,
    length: String(length),
    from: fieldOf(from, zone),
    hasEnd: endDate !== undefined,
    until: fieldOf(endDate === undefined ? from + 4 * WEEK_MS : Date.parse(endDate), zone),
    participants: participants.map((was) => ({ to: participantText(was), isNoOne: was.type === 'none', was })),
    timeRestriction,
  };
}

/** What is wrong, by the place in the form, such as `participants[1]`. */
export type RotationFaults = Readonly<Record<string, string>>;

/** What a form means as the API takes it, or what is wrong with it. */
export type ReadRotation =
  | { readonly body: RotationBody; readonly faults?: undefined }
  | { readonly faults: RotationFaults; readonly body?: undefined };

/** Reads a form; `was` is the rotation that it changes. A start and an end that a person did not change stay as they are. */
export function readRotation(form: RotationForm, zone: string, was?: Rotation): ReadRotation {
  const times = readTimes(form, zone, was);
  const faults = { ...faultsOf(form), ...times.faults };
  if (times.span === undefined || Object.keys(faults).length > 0) return { faults };
  const name = form.name.trim();
  return {
    body: {
      ...(was && { id: was.id }),
      ...(name !== '' && { name }),
      type: form.type,
      length: Number(form.length),
      ...times.span,
      participants: form.participants.map(writtenParticipant),
      ...(form.timeRestriction && { timeRestriction: form.timeRestriction }),
    },
  };
}

interface ReadTimes {
  readonly span?: Pick<RotationBody, 'startDate' | 'endDate'>;
  readonly faults?: RotationFaults;
}

const textOf = (at: number) => new Date(at).toISOString();

function readTimes({ from, hasEnd, until }: RotationForm, zone: string, was: Rotation | undefined): ReadTimes {
  const start = instantOfField(from, zone, instantOf(was?.startDate));
  const end = hasEnd ? instantOfField(until, zone, instantOf(was?.endDate)) : NO_END;
  const faults: RotationFaults = {
    ...(start.at === undefined && { from: start.fault }),
    ...(end.at === undefined && { until: end.fault }),
  };
  if (start.at === undefined || end.at === undefined) return { faults };
  if (end.at <= start.at) return { faults: { until: 'This is not after the start.' } };
  return { span: { startDate: textOf(start.at), ...(hasEnd && { endDate: textOf(end.at) }) } };
}

const NO_END = { at: Number.POSITIVE_INFINITY } as const;

const instantOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

/** By id where it stayed, so that a change of names means no one else. */
function writtenParticipant({ isNoOne, to, was }: ParticipantForm): WrittenParticipant {
  if (isNoOne) return { type: 'none' };
  const isSame = was !== undefined && was.type !== 'none' && participantText(was) === to;
  return isSame ? { type: was.type, id: was.id } : responderOf(to.trim());
}

function faultsOf({ length, participants }: RotationForm): RotationFaults {
  const ofParticipants = participants.flatMap((participant, index) => {
    const fault = participantFault(participant);
    return fault === undefined ? [] : [[`participants[${index}]`, fault] as const];
  });
  return {
    ...Object.fromEntries(ofParticipants),
    ...(/^\s*0*[1-9]\d*\s*$/.test(length) ? {} : { length: 'Type a whole number from 1 on.' }),
  };
}

function participantFault({ isNoOne, to }: ParticipantForm): string | undefined {
  if (isNoOne) return undefined;
  if (to.trim() === '') return 'Type or choose a participant.';
  return responderOf(to.trim()).type === 'schedule' ? 'A rotation has people, teams and escalations.' : undefined;
}

const LABELS: Readonly<Record<string, string>> = {
  name: 'The name',
  type: 'The kind',
  length: 'The length',
  from: 'The start',
  until: 'The end',
  participants: 'The list of participants',
  timeRestriction: 'The restriction',
};

const PLACES: readonly (readonly [RegExp, string])[] = [
  [/^startDate$/, 'from'],
  [/^endDate$/, 'until'],
  [/^timeRestriction\b.*/, 'timeRestriction'],
  [/^(participants\[\d+\]).*/, '$1'],
];

/**
 * What the server refuses, at the field that it is about; none where it is about none of them.
 *
 * @param error - what the write failed with
 * @param form - what was written
 * @param prefix - of the names of the fields where the rotation is a part of the body
 */
export function refusedRotation(error: unknown, form: RotationForm, prefix = ''): RotationFaults {
  if (!(error instanceof CallError)) return {};
  if (error.status === 404) {
    const gone = form.participants.findIndex(({ isNoOne, to }) => !isNoOne && isNamed(error.message, to));
    return gone < 0 ? {} : { [`participants[${gone}]`]: `${error.message.replace(/\.$/, '')}.` };
  }
  const own = Object.entries(error.fields).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(
    own.flatMap(([name, fault]) => {
      const place = PLACES.reduce((text, [from, to]) => text.replace(from, to), name.slice(prefix.length));
      const label = place.startsWith('participants[') ? 'The participant' : LABELS[place];
      return label === undefined ? [] : [[place, fieldText(label, fault)] as const];
    }),
  );
}

function isNamed(message: string, to: string): boolean {
  const responder = responderOf(to.trim());
  const name = responder.type === 'user' ? responder.username : responder.name;
  return message.includes(`[${name}]`) || message.endsWith(`: ${name}`);
}

/** A list with one of its items a place up (-1) or down (1). */
export function movedItem<T>(items: readonly T[], index: number, by: -1 | 1): readonly T[] {
  const place = index + by;
  return place < 0 || place >= items.length
    ? items
    : items.toSpliced(index, 1).toSpliced(place, 0, ...items.slice(index, index + 1));
}

/** A rotation in words, such as `Each for 1 week, from Mon 2 Mar 09:00: ada@example.com, no one`. */
export function rotationText(rotation: Rotation, zone: string): string {
  const { endDate, length, participants, startDate, timeRestriction, type } = rotation;
  const turn = `${length} ${UNITS[type]}${length === 1 ? '' : 's'}`;
  const end = endDate === undefined ? '' : ` until ${timeText(Date.parse(endDate), zone)}`;
  const times = `from ${timeText(Date.parse(startDate), zone)}${end}`;
  const hours = timeRestriction === undefined ? '' : `, ${restrictionText(timeRestriction)}`;
  const names = participants.map((each) => (each.type === 'none' ? 'no one' : participantText(each))).join(', ');
  return `Each for ${turn}, ${times}${hours}: ${names}`;
}

const MIN_PREVIEWED_DAYS = 14;
const MAX_PREVIEWED_DAYS = 92;

/** Which part of the timeline shows what a rotation changes: from its start or today on, once around where that is not too long. */
export function previewedDays(
  { length, participants, startDate, type }: RotationBody,
  now: number,
  zone: string,
): { readonly date: string; readonly days: number } {
  const cycle = Math.ceil((length * participants.length * TYPE_MS[type]) / DAY_MS) + 1;
  const days = Math.min(Math.max(cycle, MIN_PREVIEWED_DAYS), MAX_PREVIEWED_DAYS);
  return { date: dateAt(Math.max(now, Date.parse(startDate)), zone), days };
}

/** A rotation that was read, as the API takes it. */
const wholeOf = ({ participants, ...rotation }: Rotation): RotationBody => ({
  ...rotation,
  participants: participants.map((each) => (each.type === 'none' ? each : { type: each.type, id: each.id })),
});

/**
 * The request that writes a rotation. A PATCH of a rotation cannot remove its end or restriction (S1); one of the schedule can, and takes
 * the other rotations as `now` has them.
 */
export function rotationRequest(now: Schedule, body: RotationBody): CallRequest {
  const { id, ...rest } = body;
  const path = `${pathOf(now.id)}/rotations`;
  if (id === undefined) return { method: 'POST', path, body: rest, isDoneEachTime: true };
  const before = now.rotations.find((rotation) => rotation.id === id);
  const removes = (field: 'endDate' | 'timeRestriction') => before?.[field] !== undefined && body[field] === undefined;
  if (!removes('endDate') && !removes('timeRestriction'))
    return { method: 'PATCH', path: `${path}/${encodeURIComponent(id)}`, body: rest };
  const rotations = now.rotations.map((rotation) => (rotation.id === id ? body : wholeOf(rotation)));
  return { method: 'PATCH', path: pathOf(now.id), body: { rotations } };
}

/** Before the name of a field of a rotation, where the request of it writes the whole schedule. */
export function refusedPrefix(seen: Schedule, id: string | undefined): string {
  const place = seen.rotations.findIndex((rotation) => rotation.id === id);
  return place < 0 ? '' : `rotations[${place}].`;
}
