import { CallError } from '../api/call-error.ts';
import { fieldText } from '../api/problem-text.ts';
import { type Responder, responderOf } from '../people/people.ts';

const NO_ALERT = {
  message: '',
  alias: '',
  priority: '',
  tags: '',
  entity: '',
  source: '',
  description: '',
  /** A line for each, `key: value`. */
  details: '',
  /** A line for each, as a person types it. */
  responders: '',
  /** The id of the integration through which it comes. */
  integration: '',
  /** When it would be accepted, as an instant; now where it is empty. */
  at: '',
};

/** An alert to try, as its form and the address of the page have it. */
export type AlertForm = Readonly<Record<keyof typeof NO_ALERT, string>>;
export type AlertField = keyof AlertForm;

const FIELDS = Object.keys(NO_ALERT) as readonly AlertField[];

/** The alert that an address has; what it lacks is empty. */
export const formOfSearch = (search: Readonly<Record<string, unknown>>): AlertForm => {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  return Object.fromEntries(FIELDS.map((name) => [name, textOf(search[name])])) as AlertForm;
};

/** How long the part of an address may be that has the alert: browsers and chats cut longer ones. */
export const MAX_SEARCH_LENGTH = 1_800;

/** The part of an address that has the alert; undefined where that would be too long. */
export function searchOfForm(form: AlertForm): string | undefined {
  const given = FIELDS.filter((name) => form[name].trim() !== '').map((name) => [name, form[name]]);
  const text = new URLSearchParams(given).toString();
  return text.length > MAX_SEARCH_LENGTH ? undefined : text;
}

const parts = (text: string, separator: string): readonly string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);

export const respondersOf = (form: AlertForm): readonly string[] => parts(form.responders, '\n');

/** The form with one more responder, as a person types it; blank is none. */
export function withResponder(form: AlertForm, typed: string): AlertForm {
  const others = respondersOf(form).filter((each) => each !== typed.trim());
  return { ...form, responders: [...others, ...parts(typed, '\n')].join('\n') };
}

/** An alert as the simulation takes it. */
export interface TriedAlert {
  readonly message: string;
  readonly alias?: string;
  readonly priority?: string;
  readonly tags?: readonly string[];
  readonly entity?: string;
  readonly source?: string;
  readonly description?: string;
  readonly details?: Readonly<Record<string, string>>;
  readonly responders?: readonly Responder[];
  readonly integrationId?: string;
  readonly at?: string;
}

/** What is wrong with a form, at its field. */
export type AlertFaults = Readonly<Partial<Record<AlertField, string>>>;

/** What a form means as the API takes it, or what is wrong with it. */
export type ReadAlert =
  | { readonly alert: TriedAlert; readonly faults?: undefined }
  | { readonly faults: AlertFaults; readonly alert?: undefined };

export function readAlert(form: AlertForm): ReadAlert {
  const details = detailsOf(form.details);
  const faults: AlertFaults = {
    ...(form.message.trim() === '' && { message: 'Type a message.' }),
    ...(details.fault !== undefined && { details: details.fault }),
    ...(form.at !== '' && Number.isNaN(Date.parse(form.at)) && { at: 'Choose a date and a time.' }),
  };
  if (Object.keys(faults).length > 0) return { faults };
  return { alert: alertOf(form, details.values) };
}

const DIRECT = ['message', 'alias', 'priority', 'entity', 'source', 'description', 'at'] as const;

function alertOf(form: AlertForm, details: Readonly<Record<string, string>>): TriedAlert {
  const given = DIRECT.filter((name) => form[name].trim() !== '');
  const texts = Object.fromEntries(given.map((name) => [name, form[name].trim()] as const));
  const responders = respondersOf(form);
  const tags = parts(form.tags, ',');
  return {
    message: form.message.trim(),
    ...texts,
    ...(tags.length > 0 && { tags }),
    ...(Object.keys(details).length > 0 && { details }),
    ...(responders.length > 0 && { responders: responders.map(responderOf) }),
    ...(form.integration !== '' && { integrationId: form.integration }),
  };
}

function detailsOf(text: string): { readonly values: Readonly<Record<string, string>>; readonly fault?: string } {
  const pairs = parts(text, '\n').map((line) => line.split(/:(.*)/s).map((part) => part.trim()));
  const broken = pairs.findIndex(([key, value]) => key === '' || value === undefined);
  if (broken >= 0) return { values: {}, fault: `Line ${broken + 1} is not of the form “key: value”.` };
  return { values: Object.fromEntries(pairs.map(([key = '', value = '']) => [key, value])) };
}

/** The names of the fields on the page. */
export const FIELD_NAMES: Readonly<Record<AlertField, string>> = {
  message: 'Message',
  alias: 'Alias',
  priority: 'Priority',
  tags: 'Tags',
  entity: 'Entity',
  source: 'Source',
  description: 'Description',
  details: 'Details',
  responders: 'Responders',
  integration: 'Integration',
  at: 'Time',
};

/** What the server refuses, at the field that it is about; none where it is about none of them. */
export function refusedFields(error: unknown): AlertFaults {
  if (!(error instanceof CallError)) return {};
  if (error.status === 404 && error.message.startsWith('Integration')) return { integration: `${error.message}.` };
  return Object.fromEntries(
    Object.entries(error.fields).flatMap(([name, fault]) => {
      const [head = ''] = name.split(/[.[]/, 1);
      const field = FIELDS.find((each) => each === (head === 'integrationId' ? 'integration' : head));
      return field === undefined ? [] : [[field, fieldText(FIELD_NAMES[field], fault)]];
    }),
  );
}
