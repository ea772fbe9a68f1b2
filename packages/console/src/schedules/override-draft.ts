import { CallError } from '../api/call-error.ts';
import type { Override, OverrideBody, Timeline } from './queries.ts';
import type { Stretch } from './stretches.ts';
import { type FieldInstant, fieldOf, instantOfField, type WallField } from './wall-field.ts';
import { dateAt, DAY_MS, type Span } from './zone.ts';

/** An override as its form has it. */
export interface OverrideForm {
  readonly alias: string;
  readonly isNoOne: boolean;
  readonly username: string;
  readonly from: WallField;
  readonly until: WallField;
  /** Ids; empty means all, also those that are added later. */
  readonly rotations: readonly string[];
}

/** What the form is opened for. */
export interface OverrideTask {
  readonly title: string;
  /** The override to change; undefined for a new one. */
  readonly changed: Override | undefined;
  /** What the person has to know of it. */
  readonly note?: string | undefined;
  readonly form: OverrideForm;
}

const spanOfOverride = ({ endDate, startDate }: Override): Span => ({
  from: Date.parse(startDate),
  until: Date.parse(endDate),
});

interface NewOverride {
  readonly span: Span;
  readonly zone: string;
  readonly username: string;
  readonly rotations?: readonly string[];
}

/** A new override of a span. Its name has the user and the start, so that two are seldom the same. */
export function newTask(title: string, { rotations = [], span, username, zone }: NewOverride): OverrideTask {
  const from = fieldOf(span.from, zone);
  const alias = `${username.split('@', 1)[0] ?? ''} ${from.text.replace('T', ' ')}`.trim();
  const until = fieldOf(span.until, zone);
  return { title, changed: undefined, form: { alias, isNoOne: false, username, from, until, rotations } };
}

export function changeTask(override: Override, zone: string): OverrideTask {
  const { alias, rotations = [], user } = override;
  const { from, until } = spanOfOverride(override);
  const isNoOne = user.type === 'none';
  return {
    title: `Change the override “${alias}”`,
    changed: override,
    form: {
      alias,
      isNoOne,
      username: isNoOne ? '' : (user.username ?? ''),
      from: fieldOf(from, zone),
      until: fieldOf(until, zone),
      rotations: rotations.map(({ id }) => id),
    },
  };
}

/** Something wrong with a form, by the field at which it is shown. */
export type FormFaults = Partial<Record<'alias' | 'username' | 'from' | 'until' | 'rotations', string>>;

/** What a form means, as the API takes it, or what is wrong with it. */
export type ReadForm =
  { readonly body: OverrideBody; readonly span: Span; readonly faults?: undefined } | { readonly faults: FormFaults };

/** Reads a form; `changed` is the override that it changes. */
export function readForm(form: OverrideForm, zone: string, changed?: Override): ReadForm {
  const kept = changed && spanOfOverride(changed);
  const from = instantOfField(form.from, zone, kept?.from);
  const until = instantOfField(form.until, zone, kept?.until);
  const faults = faultsOf(form, from, until);
  if (Object.keys(faults).length > 0 || from.at === undefined || until.at === undefined) return { faults };
  return {
    span: { from: from.at, until: until.at },
    body: {
      alias: form.alias.trim(),
      user: form.isNoOne ? { type: 'none' } : { type: 'user', username: form.username.trim() },
      startDate: new Date(from.at).toISOString(),
      endDate: new Date(until.at).toISOString(),
      rotations: form.rotations.map((id) => ({ id })),
    },
  };
}

function faultsOf(form: OverrideForm, from: FieldInstant, until: FieldInstant): FormFaults {
  return {
    ...(form.alias.trim() === '' && { alias: 'Type a name.' }),
    ...(!form.isNoOne && form.username.trim() === '' && { username: 'Type a user name.' }),
    ...(from.at === undefined && { from: from.fault }),
    ...(until.at === undefined ? { until: until.fault } : until.at <= (from.at ?? 0) && { until: TOO_EARLY }),
  };
}

const TOO_EARLY = 'This is not after the start.';

/** The fields of the API that are fields of the form. */
const FIELDS: Readonly<Record<string, keyof FormFaults>> = {
  alias: 'alias',
  user: 'username',
  startDate: 'from',
  endDate: 'until',
  rotations: 'rotations',
};

/** What the server refuses, at the field that it is about; none where it is about none of them. */
export function refusedFields(error: unknown): FormFaults {
  if (!(error instanceof CallError)) return {};
  if (error.status === 409) return { alias: error.message };
  if (error.status === 404 && error.message.startsWith('User ')) return { username: error.message };
  if (error.status === 404 && error.message.startsWith('Rotation ')) return { rotations: error.message };
  const entries = Object.entries(error.fields).map(([name, fault]) => [FIELDS[name.split(/[.[]/, 1)[0] ?? ''], fault]);
  return Object.fromEntries(
    entries.filter(([field]) => field !== undefined).map(([field, fault]) => [field, `This ${fault}.`]),
  ) as FormFaults;
}

/** How many days before and after an override are previewed, and how many in all. */
const AROUND_DAYS = 1;
const MAX_DAYS = 92;

/** Which part of the timeline shows what an override changes. */
export function previewRange({ from, until }: Span, zone: string): { readonly date: string; readonly days: number } {
  const days = Math.ceil((until - from) / DAY_MS) + 2 * AROUND_DAYS;
  return { date: dateAt(from - AROUND_DAYS * DAY_MS, zone), days: Math.min(days, MAX_DAYS) };
}

/** The rotations that put people on call at an instant, by id. */
export function rotationsAt({ finalTimeline, _parent }: Timeline, at: number): readonly string[] {
  return finalTimeline.rotations
    .filter(({ id, periods }) => {
      const isOn = periods.some(({ endDate, startDate }) => Date.parse(startDate) <= at && at < Date.parse(endDate));
      return isOn && id !== _parent.id;
    })
    .map(({ id }) => id);
}

/**
 * The rotations that a person takes over with a shift: where several have people on call, the first of them alone, so that the others
 * stay; else all.
 */
export function takenRotations(timeline: Timeline, { from }: Pick<Stretch, 'from'>): readonly string[] {
  const on = rotationsAt(timeline, from);
  return on.length > 1 ? on.slice(0, 1) : [];
}
