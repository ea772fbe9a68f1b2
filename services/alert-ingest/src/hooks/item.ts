import {
  ALERT_LIMITS,
  codePoints,
  MAX_TEXT_AT_PATH,
  type PathField,
  type PathReader,
  Priority,
  type TemplateFields,
} from '@tocsin/events';
import { compileConditions, filled, PatternBudget, shortened, type ConditionSubject } from '@tocsin/rules';
import { pathReader, textAt, valueAt } from '../alerts/payload.ts';
import type { Preset, State } from './preset.ts';

/** A request that a preset reads. */
export interface HookRequest {
  readonly payload: unknown;
  /** What the payload came in, such as a message of SNS. */
  readonly envelope?: unknown;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The same in each delivery of the message, where its sender names it. */
  readonly messageId?: string | undefined;
}

/** An item of a request as its preset reads it. */
export interface HookItem {
  readonly preset: string;
  /** The name of the tool. */
  readonly title: string;
  /** The fields of the preset by name; empty where the item has none. */
  readonly fields: Readonly<Record<string, string>>;
  /** Undefined where the item has no state, or one that the preset does not know. */
  readonly state: State | undefined;
  /** Undefined where the item has no severity, or one that the preset does not know. */
  readonly priority: Priority | undefined;
  /** Empty where the key is blank: then nothing can find its alert. */
  readonly alias: string;
  readonly details: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
  readonly isTest: boolean;
  /** For the log of the alert, one sentence each. */
  readonly remarks: readonly string[];
  /** The texts by paths after `_item`, `_payload` and so on. */
  readonly texts: Texts;
}

type Texts = Readonly<Record<PathField, PathReader>>;

export interface ItemOptions {
  readonly integrationId: string;
  /** The same short text for the same text. */
  readonly digestOf: (text: string) => string;
}

/** So many entries of a map are read as details, and so many items of a list as tags. */
const MAX_ENTRIES = 1_000;

/**
 * The values in the request that become alerts, each on its own: those of the preset's list, or of the list that the payload is. Where there
 * is no such list, or an empty one, it is the payload alone.
 */
export function valuesOf(preset: Preset, { payload }: HookRequest): readonly unknown[] {
  const list = preset.items === undefined || Array.isArray(payload) ? payload : valueAt(payload, preset.items);
  return Array.isArray(list) && list.length > 0 ? list : [payload];
}

/** Whether the preset knows the request as one of its tool. */
export function knows(preset: Preset, request: HookRequest): boolean {
  return holds(preset.detect, partsOf(request.payload, request));
}

/** Reads one item of a request. Pure, and never throws. */
export function readItem(preset: Preset, value: unknown, request: HookRequest, options: ItemOptions): HookItem {
  const parts = partsOf(value, request);
  const texts = textsOf(parts);
  const fields = Object.fromEntries(
    Object.entries(preset.fields).map(([field, sources]) => [field, firstText(sources ?? [], parts, texts)]),
  );
  const { state = '', severity = '', key = '' } = fields;
  const isTest = holds(preset.test, parts);
  const meant = {
    state: meaning(preset.states, state),
    priority: isTest ? 'P5' : priorityOf(preset, severity),
  } as const;
  return {
    preset: preset.name,
    title: preset.title,
    fields,
    ...meant,
    alias: key === '' ? '' : aliasOf(preset, key, options),
    details: detailsOf(preset, value, request),
    tags: [...tagsOf(preset, parts, texts), ...(isTest ? ['test'] : [])],
    isTest,
    remarks: remarksOf(preset, { state, severity, key }, meant),
    texts,
  };
}

/** The item and the request that it came in, by the names that paths begin with. */
type Parts = Readonly<Record<PathField, unknown>>;

function partsOf(item: unknown, { payload, envelope, headers, query }: HookRequest): Parts {
  return { _item: item, _payload: payload, _envelope: envelope, _headers: headers, _query: query };
}

function textsOf({ _item, _payload, _envelope, _headers, _query }: Parts): Texts {
  const header = pathReader(_headers);
  return {
    _item: pathReader(_item),
    _payload: pathReader(_payload),
    _envelope: pathReader(_envelope),
    _headers: (path) => header(path.toLowerCase()),
    _query: pathReader(_query),
  };
}

const ROOTED = /^(_item|_payload|_envelope|_headers|_query)\.(.+)$/s;

/** A path of the item, or after `$.` of the payload, or after the name of another part of the request. A map is blank. */
function textOfPath(path: string, parts: Parts): string {
  if (path.startsWith('$.')) return textAt(parts._payload, path.slice(2));
  const [, root, rest = ''] = ROOTED.exec(path) ?? [];
  if (root === undefined) return textAt(parts._item, path);
  return textAt(parts[root as PathField], root === '_headers' ? rest.toLowerCase() : rest);
}

/** The first source of which nothing is blank, else the first that is not blank as a whole. */
function firstText(sources: readonly string[], parts: Parts, texts: Texts): string {
  let incomplete = '';
  for (const source of sources) {
    const { text, isComplete } = readSource(source, parts, texts);
    if (text !== '' && isComplete) return text;
    incomplete ||= text;
  }
  return incomplete;
}

interface SourceText {
  readonly text: string;
  /** Whether each path of it has a text. */
  readonly isComplete: boolean;
}

/** A template in which all expressions are blank is blank. */
function readSource(source: string, parts: Parts, texts: Texts): SourceText {
  if (!source.includes('{{')) return { text: textOfPath(source, parts).trim(), isComplete: true };
  let isComplete = true;
  const watched = Object.entries(texts).map(([name, read]): [string, PathReader] => [
    name,
    (path) => {
      const text = read(path);
      if (text.trim() === '') isComplete = false;
      return text;
    },
  ]);
  const text = filled(source, Object.fromEntries(watched) satisfies TemplateFields);
  return { text: text === filled(source, {}) ? '' : text.trim().slice(0, MAX_TEXT_AT_PATH), isComplete };
}

function holds(set: Preset['detect'], parts: Parts): boolean {
  if (set === undefined) return false;
  const subject: ConditionSubject = Object.fromEntries(
    set.conditions.map(({ field }) => [field, textOfPath(field, parts)]),
  );
  return compileConditions(set)(subject, new PatternBudget()) === 'holds';
}

/** That of the word itself, else that of the longest word with `*` which it begins with. */
function meaning<T>(words: Readonly<Record<string, T>>, written: string): T | undefined {
  const word = written.trim().toLowerCase();
  if (word === '') return undefined;
  const known = Object.entries(words).map(([each, value]) => ({ each: each.toLowerCase(), value }));
  const exact = known.find(({ each }) => each === word);
  if (exact !== undefined) return exact.value;
  const beginnings = known.filter(({ each }) => each.endsWith('*') && word.startsWith(each.slice(0, -1)));
  return beginnings.sort((a, b) => b.each.length - a.each.length)[0]?.value;
}

function priorityOf({ priorities }: Preset, severity: string): Priority | undefined {
  const known = meaning(priorities, severity);
  return known ?? Priority.safeParse(severity.toUpperCase()).data;
}

/** One alert of one integration: two monitors of two tools may have the same key. A key that is too long goes on as its digest. */
function aliasOf({ name }: Preset, key: string, { integrationId, digestOf }: ItemOptions): string {
  const scope = `${name}:${integrationId.slice(0, 8)}`;
  const alias = `${scope}:${key}`;
  if (codePoints(alias) <= ALERT_LIMITS.alias) return alias;
  return `${scope}:${shortened(key, MAX_KEY)} ${digestOf(key)}`;
}

const MAX_KEY = 350;

/** The values of maps by their names, other values by the last name of their path; the first of a name is kept. */
function detailsOf(preset: Preset, item: unknown, { payload }: HookRequest): Readonly<Record<string, string>> {
  const details = new Map<string, string>();
  const add = (name: string, holder: unknown, path: string) => {
    const text = textAt(holder, path).trim();
    if (text !== '' && !details.has(name)) details.set(name, text);
  };
  for (const written of preset.details) {
    const [holder, path] = written.startsWith('$.') ? [payload, written.slice(2)] : [item, written];
    const value = valueAt(holder, path);
    if (isMap(value))
      for (const name of Object.keys(value).slice(0, MAX_ENTRIES)) add(name, { name: value[name] }, 'name');
    else add(path.slice(path.lastIndexOf('.') + 1), holder, path);
  }
  return Object.fromEntries(details);
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The items of lists, and the parts of texts between commas, each once. */
function tagsOf(preset: Preset, parts: Parts, texts: Texts): readonly string[] {
  const tags = preset.tags.flatMap((source): readonly string[] => {
    const [holder, path] = source.startsWith('$.') ? [parts._payload, source.slice(2)] : [parts._item, source];
    const list = source.includes('{{') ? undefined : valueAt(holder, path);
    return Array.isArray(list)
      ? list.slice(0, MAX_ENTRIES).map((_, index) => textAt(list, String(index)))
      : readSource(source, parts, texts).text.split(',');
  });
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))];
}

type Read = Readonly<Record<'state' | 'severity' | 'key', string>>;
type Meant = Pick<HookItem, 'state' | 'priority'>;

const MAX_SHOWN = 50;

function remarksOf({ name }: Preset, { state, severity, key }: Read, meant: Meant): readonly string[] {
  const remarks: string[] = [];
  const unknown = (field: string, value: string) =>
    `The ${field} [${shortened(value, MAX_SHOWN)}] is unrecognised by the preset [${name}].`;
  if (state !== '' && meant.state === undefined) remarks.push(unknown('state', state));
  if (severity !== '' && meant.priority === undefined) remarks.push(unknown('severity', severity));
  if (key === '') remarks.push("The request has no key, so the sender's closes cannot find its alert.");
  return remarks;
}
