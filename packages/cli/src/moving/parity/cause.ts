import { type Layer, type Span, spanOf } from '../../timeline.ts';
import { isJson, type Json, numberIn, textIn } from '../json.ts';
import type { Difference } from './comparison.ts';
import { clockChanges } from './instants.ts';
import type { OnCallPlan, ParitySchedule } from './side.ts';

/** A schedule of one side, and its plan. */
export interface PlannedSchedule {
  readonly schedule: ParitySchedule;
  readonly plan: OnCallPlan;
}

const DAY_MS = 86_400_000;

/** Fields of a rotation by which its shifts follow. */
const ROTATION_FIELDS = ['type', 'length', 'startDate', 'endDate', 'participants', 'timeRestriction'] as const;

/** What two sides differ in that probably explains the differences of a schedule, most certain first. */
export function causesOf(
  differences: readonly Difference[],
  opsgenie: PlannedSchedule,
  tocsin: PlannedSchedule,
): readonly string[] {
  const defined = definitionCauses(opsgenie.schedule, tocsin.schedule);
  const changed = layerCauses(differences, opsgenie.plan, tocsin.plan);
  if (defined.length + changed.length > 0) return [...defined, ...changed];
  if (isAtClockChanges(differences, opsgenie.schedule.zone))
    return [
      'Only days on which the clock changes differ: the sides place hand-offs at a change of the clock differently, or have other time-zone data.',
    ];
  return ['The definitions of both sides are alike: the cause is not known.'];
}

/** Where the definitions differ. */
function definitionCauses(opsgenie: ParitySchedule, tocsin: ParitySchedule): readonly string[] {
  const causes: string[] = [];
  if (opsgenie.enabled !== tocsin.enabled)
    causes.push(`It is ${stateOf(opsgenie)} in Opsgenie and ${stateOf(tocsin)} in Tocsin.`);
  if (opsgenie.zone !== tocsin.zone)
    causes.push(`Its time zone is ${opsgenie.zone} in Opsgenie and ${tocsin.zone} in Tocsin.`);
  return [...causes, ...rotationCauses(opsgenie.rotations, tocsin.rotations)];
}

const stateOf = ({ enabled }: ParitySchedule): string => (enabled ? 'enabled' : 'disabled');

function rotationCauses(opsgenie: readonly Json[], tocsin: readonly Json[]): readonly string[] {
  const pairs = pairsOf(opsgenie, tocsin);
  const missing = opsgenie
    .filter((rotation) => !pairs.has(rotation))
    .map((rotation) => `Tocsin lacks the rotation ${shown(rotation)}.`);
  const matched = new Set(pairs.values());
  const added = tocsin
    .filter((rotation) => !matched.has(rotation))
    .map((rotation) => `Opsgenie lacks the rotation ${shown(rotation)}.`);
  const changed = [...pairs].flatMap(([mine, theirs]) => {
    const fields = ROTATION_FIELDS.filter((name) => normal(mine, name) !== normal(theirs, name));
    return fields.length === 0 ? [] : [`The rotation ${shown(mine)} differs in ${fields.join(', ')}.`];
  });
  return [...missing, ...added, ...changed];
}

/** The rotations of Opsgenie with those of Tocsin of the same id, else of the same name. */
function pairsOf(opsgenie: readonly Json[], tocsin: readonly Json[]): ReadonlyMap<Json, Json> {
  const left = new Set(tocsin);
  const pairs = new Map<Json, Json>();
  for (const key of ['id', 'name'])
    for (const rotation of opsgenie.filter((one) => !pairs.has(one))) {
      const found = [...left].find(
        (other) => textIn(other, key) !== undefined && textIn(other, key) === textIn(rotation, key),
      );
      if (found === undefined) continue;
      pairs.set(rotation, found);
      left.delete(found);
    }
  return pairs;
}

const shown = (rotation: Json): string => `[${textIn(rotation, 'name') ?? textIn(rotation, 'id') ?? ''}]`;

/** A field as text that is the same for what means the same. */
function normal(rotation: Json, name: (typeof ROTATION_FIELDS)[number]): string {
  const value = rotation[name] ?? undefined;
  if (name === 'length') return String(numberIn(rotation, name) ?? 1);
  if (name === 'startDate' || name === 'endDate') return typeof value === 'string' ? String(Date.parse(value)) : '';
  if (name === 'participants') return JSON.stringify(participantsOf(value));
  return value === undefined ? '' : JSON.stringify(sorted(value));
}

const participantsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : []).map((participant) => {
    const named = textIn(participant, 'username') ?? textIn(participant, 'name') ?? textIn(participant, 'id') ?? '';
    return `${textIn(participant, 'type') ?? ''} ${named.toLowerCase()}`;
  });

/** The same value with the fields of each object in one order, and numbers for numbers written as text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (isJson(value))
    return Object.fromEntries(
      Object.keys(value)
        .toSorted()
        .map((key) => [key, sorted(value[key])] as const)
        .filter(([, each]) => (each ?? undefined) !== undefined),
    );
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
}

function layerCauses(differences: readonly Difference[], opsgenie: OnCallPlan, tocsin: OnCallPlan): readonly string[] {
  if (differences.length === 0) return [];
  const within = (layers: readonly Layer[]): boolean => differences.every((each) => isWithin(each, layers));
  const causes: string[] = [];
  if (within([opsgenie.overrides, tocsin.overrides])) causes.push('All differences are within overrides.');
  else if (within([opsgenie.forwarding, tocsin.forwarding])) causes.push('All differences are within forwarding.');
  return causes;
}

const isWithin = (difference: Span, layers: readonly Layer[]): boolean =>
  layers
    .flatMap(({ rotations }) => rotations.flatMap(({ periods }) => periods))
    .some((period) => spanOf(period).from <= difference.from && spanOf(period).until >= difference.until);

/** Each difference is short, and within a day of a change of the clock. */
function isAtClockChanges(differences: readonly Difference[], zone: string): boolean {
  return differences.every(({ from, until }) => {
    const near = { from: from - DAY_MS, until: until + DAY_MS };
    return until - from <= DAY_MS && isZone(zone) && clockChanges(zone, near).length > 0;
  });
}

export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
