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
  old: PlannedSchedule,
  ours: PlannedSchedule,
): readonly string[] {
  const defined = definitionCauses(old.schedule, ours.schedule);
  const changed = layerCauses(differences, old.plan, ours.plan);
  if (defined.length + changed.length > 0) return [...defined, ...changed];
  if (isAtClockChanges(differences, old.schedule.zone))
    return [
      'Only days on which the clock changes differ: the sides place hand-offs at a change of the clock differently, or have other time-zone data.',
    ];
  return ['The definitions of both sides are alike: the cause is not known.'];
}

/** Where the definitions differ. */
function definitionCauses(old: ParitySchedule, ours: ParitySchedule): readonly string[] {
  const causes: string[] = [];
  if (old.enabled !== ours.enabled) causes.push(`It is ${stateOf(old)} on the old side and ${stateOf(ours)} on ours.`);
  if (old.zone !== ours.zone) causes.push(`Its time zone is ${old.zone} on the old side and ${ours.zone} on ours.`);
  return [...causes, ...rotationCauses(old.rotations, ours.rotations)];
}

const stateOf = ({ enabled }: ParitySchedule): string => (enabled ? 'enabled' : 'disabled');

function rotationCauses(old: readonly Json[], ours: readonly Json[]): readonly string[] {
  const pairs = pairsOf(old, ours);
  const missing = old
    .filter((rotation) => !pairs.has(rotation))
    .map((rotation) => `Ours lacks the rotation ${shown(rotation)}.`);
  const matched = new Set(pairs.values());
  const added = ours
    .filter((rotation) => !matched.has(rotation))
    .map((rotation) => `The old side lacks the rotation ${shown(rotation)}.`);
  const changed = [...pairs].flatMap(([mine, theirs]) => {
    const fields = ROTATION_FIELDS.filter((name) => normal(mine, name) !== normal(theirs, name));
    return fields.length === 0 ? [] : [`The rotation ${shown(mine)} differs in ${fields.join(', ')}.`];
  });
  return [...missing, ...added, ...changed];
}

/** The rotations of the old side with those of ours of the same id, else of the same name. */
function pairsOf(old: readonly Json[], ours: readonly Json[]): ReadonlyMap<Json, Json> {
  const left = new Set(ours);
  const pairs = new Map<Json, Json>();
  for (const key of ['id', 'name'])
    for (const rotation of old.filter((one) => !pairs.has(one))) {
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

function layerCauses(differences: readonly Difference[], old: OnCallPlan, ours: OnCallPlan): readonly string[] {
  if (differences.length === 0) return [];
  const within = (layers: readonly Layer[]): boolean => differences.every((each) => isWithin(each, layers));
  const causes: string[] = [];
  if (within([old.overrides, ours.overrides])) causes.push('All differences are within overrides.');
  else if (within([old.forwarding, ours.forwarding])) causes.push('All differences are within forwarding.');
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
