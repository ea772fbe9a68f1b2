import { CallError } from '../api/call-error.ts';
import { fieldText } from '../api/problem-text.ts';
import { intervalText } from './heartbeat.ts';
import type { Heartbeat } from './queries.ts';

/** A heartbeat as its form has it. */
export interface HeartbeatForm extends Readonly<Record<string, string>> {
  readonly name: string;
  readonly description: string;
  readonly interval: string;
  readonly intervalUnit: string;
  /** The id of the team; empty for none. */
  readonly ownerTeam: string;
  readonly alertMessage: string;
  /** Separated by commas. */
  readonly alertTags: string;
  readonly alertPriority: string;
}

export const newForm = (teamId: string): HeartbeatForm => ({
  name: '',
  description: '',
  interval: '10',
  intervalUnit: 'minutes',
  ownerTeam: teamId,
  alertMessage: '',
  alertTags: '',
  alertPriority: 'P3',
});

export const formOf = (heartbeat: Heartbeat): HeartbeatForm => ({
  name: heartbeat.name,
  description: heartbeat.description,
  interval: String(heartbeat.interval),
  intervalUnit: heartbeat.intervalUnit,
  ownerTeam: heartbeat.ownerTeam?.id ?? '',
  alertMessage: heartbeat.alertMessage ?? '',
  alertTags: heartbeat.alertTags.join(', '),
  alertPriority: heartbeat.alertPriority ?? 'P3',
});

/** The body of a write. A change has what the form changes alone: naming the interval begins a new one (H2). */
export interface HeartbeatBody {
  readonly name?: string;
  readonly description?: string;
  readonly interval?: number;
  readonly intervalUnit?: string;
  readonly ownerTeam?: { readonly id: string };
  readonly alertMessage?: string;
  readonly alertTags?: readonly string[];
  readonly alertPriority?: string;
  readonly enabled?: boolean;
}

const tagsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

export const LABELS = {
  name: 'Name',
  description: 'Description',
  interval: 'Interval',
  intervalUnit: 'Unit',
  ownerTeam: 'Team',
  alertMessage: 'Message of the alert',
  alertTags: 'Tags of the alert',
  alertPriority: 'Priority of the alert',
} as const;
export type FieldName = keyof typeof LABELS;
export type Faults = Partial<Record<FieldName, string>>;

/** What is wrong with a form before it is sent; `changed` is the heartbeat that it changes. */
export function faultsOf(form: HeartbeatForm, changed?: Heartbeat): Faults {
  return {
    ...(form.name.trim() === '' && { name: 'Type a name.' }),
    ...(!/^[1-9]\d*$/.test(form.interval.trim()) && { interval: 'Type a whole number of at least 1.' }),
    ...(changed?.alertMessage !== undefined &&
      form.alertMessage.trim() === '' && { alertMessage: 'A message can be changed, and not removed.' }),
  };
}

export function bodyOf(form: HeartbeatForm): HeartbeatBody {
  const alertMessage = form.alertMessage.trim();
  return {
    name: form.name.trim(),
    description: form.description.trim(),
    interval: Number(form.interval),
    intervalUnit: form.intervalUnit,
    ...(form.ownerTeam !== '' && { ownerTeam: { id: form.ownerTeam } }),
    ...(alertMessage !== '' && { alertMessage }),
    alertTags: tagsOf(form.alertTags),
    alertPriority: form.alertPriority,
  };
}

/** What a form changes of the heartbeat that it was filled from. The interval and its unit go together. */
export function changeOf(form: HeartbeatForm, heartbeat: Heartbeat): HeartbeatBody {
  const before = bodyOf(formOf(heartbeat));
  const after = bodyOf(form);
  const isSame = (field: keyof HeartbeatBody) => JSON.stringify(before[field]) === JSON.stringify(after[field]);
  const hasInterval = isSame('interval') && isSame('intervalUnit');
  const changed = Object.entries(after).filter(([field]) =>
    field === 'interval' || field === 'intervalUnit' ? !hasInterval : !isSame(field as keyof HeartbeatBody),
  );
  return Object.fromEntries(changed);
}

/** What the server refuses, at the field that it is about. */
export function refusedFields(error: unknown): Faults {
  if (!(error instanceof CallError)) return {};
  if (error.status === 409) return { name: error.message };
  if (error.status === 404 && error.message.startsWith('Team ')) return { ownerTeam: error.message };
  return Object.fromEntries(
    Object.entries(error.fields).flatMap(([name, fault]) => {
      const field = name.split(/[.[]/, 1)[0] ?? '';
      return Object.hasOwn(LABELS, field) ? [[field, fieldText(LABELS[field as FieldName], fault)]] : [];
    }),
  );
}

const facts = (heartbeat: Heartbeat): Readonly<Record<string, string>> => ({
  'It is': heartbeat.enabled ? 'enabled' : 'disabled',
  'Its interval is': intervalText(heartbeat),
  'Its description is': `“${heartbeat.description}”`,
  'Its team is': heartbeat.ownerTeam?.name ?? 'none',
  'The message of its alert is': `“${heartbeat.alertMessage ?? ''}”`,
  'The tags of its alert are': `“${heartbeat.alertTags.join(', ')}”`,
  'The priority of its alert is': heartbeat.alertPriority ?? 'P3',
});

/** What another person changed of a heartbeat, a sentence each. Pings are no changes. */
export function changesBetween(before: Heartbeat, now: Heartbeat): readonly string[] {
  const was = facts(before);
  return Object.entries(facts(now)).flatMap(([what, text]) =>
    was[what] === text ? [] : [`${what} ${text} now. It was ${was[what] ?? ''}.`],
  );
}
