import type { Override, Schedule } from './queries.ts';
import { timeText } from './time-text.ts';

/** What a person saw of a schedule when they began to change it. */
export interface SeenSchedule {
  readonly schedule: Schedule;
  readonly overrides: readonly Override[];
}

/** What another person changed since, a sentence each. What is the same has none. */
export function changesBetween(before: SeenSchedule, now: SeenSchedule): readonly string[] {
  const zone = now.schedule.timezone;
  return [...planChanges(before.schedule, now.schedule), ...overrideChanges(before.overrides, now.overrides, zone)];
}

/** What another person changed of a schedule and its rotations, a sentence each. */
export function scheduleChanges(before: Schedule, now: Schedule): readonly string[] {
  return [
    ...(before.name === now.name ? [] : [`The name of the schedule is “${now.name}” now.`]),
    ...(before.description === now.description ? [] : ['The description was changed.']),
    ...(before.ownerTeam?.id === now.ownerTeam?.id ? [] : ['Another team owns it.']),
    ...planChanges(before, now),
  ];
}

function planChanges(before: Schedule, now: Schedule): readonly string[] {
  const zone = before.timezone === now.timezone ? [] : [`The zone of the schedule is ${now.timezone} now.`];
  const enabled =
    before.enabled === now.enabled ? [] : [`The schedule is ${now.enabled ? 'enabled' : 'disabled'} now.`];
  const old = new Map(before.rotations.map((rotation) => [rotation.id, rotation]));
  const ids = new Set(now.rotations.map(({ id }) => id));
  const kept = now.rotations.flatMap((rotation): readonly string[] => {
    const was = old.get(rotation.id);
    if (was === undefined) return [`The rotation “${rotation.name}” was added.`];
    return isSame(was, rotation) ? [] : [`The rotation “${rotation.name}” was changed.`];
  });
  const gone = before.rotations
    .filter(({ id }) => !ids.has(id))
    .map(({ name }) => `The rotation “${name}” was deleted.`);
  return [...zone, ...enabled, ...kept, ...gone];
}

function overrideChanges(before: readonly Override[], now: readonly Override[], zone: string): readonly string[] {
  const old = new Map(before.map((override) => [override.alias, override]));
  const aliases = new Set(now.map(({ alias }) => alias));
  const kept = now.flatMap((override): readonly string[] => {
    const was = old.get(override.alias);
    const text = overrideText(override, zone);
    if (was === undefined) return [`The override “${override.alias}” was added: ${text}.`];
    if (isSame(was, override)) return [];
    return [`The override “${override.alias}” was changed. It was: ${overrideText(was, zone)}. It is: ${text}.`];
  });
  const gone = before.filter(({ alias }) => !aliases.has(alias));
  return [...kept, ...gone.map((was) => `The override “${was.alias}” was deleted: ${overrideText(was, zone)}.`)];
}

/** Answers of the same operation have their fields in the same order. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** An override in a few words. */
export function overrideText({ endDate, rotations, startDate, user }: Override, zone: string): string {
  const who = personText(user);
  const times = `${timeText(Date.parse(startDate), zone)} to ${timeText(Date.parse(endDate), zone)}`;
  const of = rotations === undefined ? '' : `, in ${rotations.map(({ name }) => name).join(', ')}`;
  return `${who}, ${times}${of}`;
}

/** Whom an override puts on call. */
export const personText = (user: Override['user']): string =>
  user.type === 'none' ? 'no one' : (user.username ?? 'a deleted user');
