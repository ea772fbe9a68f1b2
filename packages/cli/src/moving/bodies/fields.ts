import { isJson, type Json, numberIn, objectIn, objectsIn, textIn } from '../json.ts';

/** Whether a value states something: clients and the API write empty values for what is not set. */
export function saysNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  return typeof value === 'object' && Object.values(value).every(saysNothing);
}

/** Reads a thing, and knows which of its fields were not read. */
export class Fields {
  readonly value: Json;
  readonly #read: Set<string>;

  /** `notMoved` are the fields that the API only shows. */
  constructor(value: Json, ...notMoved: readonly string[]) {
    this.value = value;
    this.#read = new Set(notMoved);
  }

  /** A text that is not empty. */
  text(name: string): string | undefined {
    this.#read.add(name);
    return textIn(this.value, name);
  }

  number(name: string): number | undefined {
    this.#read.add(name);
    return numberIn(this.value, name);
  }

  /** A boolean, also one that is written as text. */
  flag(name: string, otherwise: boolean): boolean {
    this.#read.add(name);
    return flagIn(this.value, name, otherwise);
  }

  object(name: string): Json | undefined {
    this.#read.add(name);
    return objectIn(this.value, name);
  }

  objects(name: string): readonly Json[] {
    this.#read.add(name);
    return objectsIn(this.value, name);
  }

  /** The texts of a list; numbers as their digits. */
  texts(name: string): readonly string[] {
    this.#read.add(name);
    return textsIn(this.value, name);
  }

  /** The names of fields that state something and were not read. */
  left(): readonly string[] {
    return Object.keys(this.value).filter((name) => !this.#read.has(name) && !saysNothing(this.value[name]));
  }
}

/** A boolean, also one that is written as text. */
export function flagIn(item: unknown, name: string, otherwise: boolean): boolean {
  const value = isJson(item) ? item[name] : undefined;
  if (typeof value === 'boolean') return value;
  return typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : otherwise;
}

export function textsIn(item: unknown, name: string): readonly string[] {
  const value = isJson(item) ? item[name] : undefined;
  if (!Array.isArray(value)) return [];
  return value.filter((text) => typeof text === 'string' || typeof text === 'number').map(String);
}

/** The object without fields that are undefined. */
export const defined = (fields: Readonly<Record<string, unknown>>): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** A reference by id; by its name where it has no id. Undefined where it names nothing. */
export function reference(value: unknown): Json | undefined {
  const id = textIn(value, 'id');
  if (id !== undefined) return { id };
  const [name, username] = [textIn(value, 'name'), textIn(value, 'username')];
  if (username !== undefined) return { username };
  return name === undefined ? undefined : { name };
}

/** A reference with the kind of what it names, such as `{type: 'user', id}`. */
export const typed = (value: Json, otherwise = 'user'): Json => {
  const type = (textIn(value, 'type') ?? otherwise).toLowerCase();
  return { type, ...(['none', 'all'].includes(type) ? {} : reference(value)) };
};

/** An instant in one spelling; the text as it is where it is none. */
export function instant(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const at = /^\d{11,}$/.test(text) ? Number(text) : Date.parse(text);
  return Number.isNaN(at) ? text : new Date(at).toISOString();
}

const MINUTES_OF: Readonly<Record<string, number>> = { day: 1_440, hour: 60, minute: 1, second: 1 / 60 };

const unitOf = (item: unknown): string => (textIn(item, 'timeUnit') ?? 'minutes').toLowerCase().replace(/s$/, '');

/** A duration, or its bare amount, in minutes. */
export function minutesOf(value: unknown): number | undefined {
  if (!isJson(value)) return numberIn({ value }, 'value');
  const factor = MINUTES_OF[unitOf(value)];
  return factor === undefined ? undefined : (numberIn(value, 'timeAmount') ?? 0) * factor;
}

/** A duration in minutes. */
export function minutes(value: unknown): Json | undefined {
  const timeAmount = minutesOf(value);
  return timeAmount === undefined ? undefined : { timeAmount, timeUnit: 'minutes' };
}

/** A duration in its own unit. */
export function duration(value: unknown): Json | undefined {
  if (!isJson(value)) return minutes(value ?? undefined);
  const unit = unitOf(value);
  const isMilliseconds = unit.startsWith('mil');
  return { timeAmount: numberIn(value, 'timeAmount'), timeUnit: isMilliseconds ? 'milliseconds' : `${unit}s` };
}

/** Conditions in their own spelling, under the name `word` for their type; by default under the one that they have. */
export function criteria(value: unknown, word?: string): Json {
  const own = textIn(value, 'type') === undefined && textIn(value, 'conditionMatchType') !== undefined;
  const name = own ? 'conditionMatchType' : 'type';
  const type = textIn(value, name) ?? 'match-all';
  if (/^match[\s_-]*all$/i.test(type)) return { [word ?? name]: type };
  return { [word ?? name]: type, conditions: objectsIn(value, 'conditions').map(condition) };
}

function condition(item: Json): Json {
  const isOlder = typeof item['not'] !== 'boolean' && item['isNot'] !== undefined && item['isNot'] !== null;
  return defined({
    field: textIn(item, 'field'),
    key: textIn(item, 'key'),
    ...(isOlder ? { isNot: flagIn(item, 'isNot', false) } : { not: flagIn(item, 'not', false) }),
    operation: textIn(item, 'operation'),
    expectedValue: textIn(item, 'expectedValue') ?? '',
    order: numberIn(item, 'order'),
  });
}

/** Conditions, each with its place: those of policies always have one. */
export function placedCriteria(value: unknown): Json {
  const found = criteria(value);
  const placed = objectsIn(found, 'conditions').map((each, order) => ({ order, ...each }));
  return 'conditions' in found ? { ...found, conditions: placed } : found;
}

const times = (item: Json): Record<string, number> =>
  Object.fromEntries(['startHour', 'startMin', 'endHour', 'endMin'].map((name) => [name, numberIn(item, name) ?? 0]));

/** A time restriction in one of its two forms; undefined where there is none. */
export function timeRestriction(value: unknown): Json | undefined {
  if (saysNothing(value)) return undefined;
  const type = (textIn(value, 'type') ?? '').toLowerCase();
  const spans = objectsIn(value, 'restrictions');
  if (type !== 'time-of-day') return { type, restrictions: spans.map((span) => ({ ...days(span), ...times(span) })) };
  return { type, restriction: times(objectIn(value, 'restriction') ?? spans[0] ?? {}) };
}

const days = (span: Json): Json => ({
  startDay: textIn(span, 'startDay')?.toLowerCase(),
  endDay: textIn(span, 'endDay')?.toLowerCase(),
});
