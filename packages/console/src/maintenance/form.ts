import { CallError } from '../api/call-error.ts';
import { type FieldInstant, fieldOf, instantOfField, type WallField } from '../schedules/wall-field.ts';
import type { Span } from '../schedules/zone.ts';
import type { Entity, Rule, WholeWindow } from './queries.ts';
import { spanOf } from './windows.ts';

/** A window as its form has it. Times are in the zone of this device. */
export interface WindowForm {
  readonly description: string;
  readonly from: WallField;
  readonly until: WallField;
  readonly rules: readonly Rule[];
}

type WindowTime =
  | { readonly type: 'schedule'; readonly startDate: string; readonly endDate: string }
  | { readonly type: 'indefinitely' };

export interface WindowBody {
  readonly description: string;
  readonly time: WindowTime;
  readonly rules: readonly Rule[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The next full hour, for an hour. */
export function newForm(now: number, zone: string): WindowForm {
  const from = Math.ceil(now / HOUR_MS) * HOUR_MS;
  return { description: '', from: fieldOf(from, zone), until: fieldOf(from + HOUR_MS, zone), rules: [] };
}

/** The form of a planned window. */
export function formOf(window: WholeWindow, zone: string, now: number): WindowForm {
  const { from, until } = spanOf(window) ?? { from: now, until: now + HOUR_MS };
  return {
    description: window.description,
    from: fieldOf(from, zone),
    until: fieldOf(until, zone),
    rules: window.rules,
  };
}

/** The rule by which a window turns a thing off. */
export const disabling = ({ id, type }: Pick<Entity, 'id' | 'type'>): Rule => ({
  entity: { type, id },
  state: 'disabled',
});

/** How long a window that is started now can be. */
export const LENGTHS = [
  { name: '5 minutes', ms: 5 * MINUTE_MS },
  { name: '30 minutes', ms: 30 * MINUTE_MS },
  { name: '1 hour', ms: HOUR_MS },
  { name: '4 hours', ms: 4 * HOUR_MS },
  { name: '1 day', ms: DAY_MS },
  { name: 'until you end it', ms: undefined },
] as const;

/** A window from now on. It has times, because the API shows no end of one that is started for a length of time (P9). */
export const bodyFromNow = (rules: readonly Rule[], ms: number | undefined, now: number): WindowBody => ({
  description: '',
  time:
    ms === undefined
      ? { type: 'indefinitely' }
      : { type: 'schedule', startDate: new Date(now).toISOString(), endDate: new Date(now + ms).toISOString() },
  rules,
});

export type WindowFaults = Partial<Record<'description' | 'from' | 'until' | 'rules', string>>;

export type ReadWindow = { readonly body: WindowBody; readonly faults?: undefined } | { readonly faults: WindowFaults };

/** Reads a form; `kept` are the times of the window that it changes. */
export function readForm(form: WindowForm, zone: string, kept?: Span): ReadWindow {
  const from = instantOfField(form.from, zone, kept?.from);
  const until = instantOfField(form.until, zone, kept?.until);
  const faults = faultsOf(form, from, until);
  if (Object.keys(faults).length > 0 || from.at === undefined || until.at === undefined) return { faults };
  const [startDate, endDate] = [from.at, until.at].map((at) => new Date(at).toISOString()) as [string, string];
  return {
    body: { description: form.description.trim(), time: { type: 'schedule', startDate, endDate }, rules: form.rules },
  };
}

const faultsOf = ({ rules }: WindowForm, from: FieldInstant, until: FieldInstant): WindowFaults => ({
  ...(rules.length === 0 && { rules: 'Choose an integration or a policy.' }),
  ...(from.at === undefined && { from: from.fault }),
  ...(until.at === undefined
    ? { until: until.fault }
    : until.at <= (from.at ?? 0) && { until: 'This is not after the start.' }),
});

/** Which field a name of the API is about: `time.endDate`, `rules[0].entity.id`. */
function fieldOfName(name: string): keyof WindowFaults | undefined {
  if (name.startsWith('rules')) return 'rules';
  if (name === 'description') return 'description';
  if (name.endsWith('startDate')) return 'from';
  return name === 'time' || name.endsWith('endDate') ? 'until' : undefined;
}

/** What the server refuses, at the field that it is about. */
export function refusedFields(error: unknown): WindowFaults {
  if (!(error instanceof CallError)) return {};
  // What the window names was deleted.
  if (error.status === 404 && !error.message.startsWith('Maintenance ')) return { rules: error.message };
  const entries = Object.entries(error.fields).map(([name, fault]) => [
    fieldOfName(name),
    fault.endsWith('.') ? fault : `This ${fault}.`,
  ]);
  return Object.fromEntries(entries.filter(([field]) => field !== undefined)) as WindowFaults;
}
