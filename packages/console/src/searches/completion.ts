/** The fields of the search language (A11) and, where there are few, their values. Those that are searched most come first. */
const FIELDS: readonly (readonly [name: string, values?: readonly string[]])[] = [
  ['status', ['open', 'closed']],
  ['priority', ['P1', 'P2', 'P3', 'P4', 'P5']],
  ['owner'],
  ['acknowledged', ['true', 'false']],
  ['snoozed', ['true', 'false']],
  ['isSeen', ['true', 'false']],
  ['tag'],
  ['message'],
  ['description'],
  ['entity'],
  ['source'],
  ['alias'],
  ['teams'],
  ['responders'],
  ['createdAt'],
  ['lastOccurredAt'],
  ['snoozedUntil'],
  ['count'],
  ['tinyId'],
  ['alertId'],
  ['acknowledgedBy'],
  ['closedBy'],
  ['actions'],
  ['integration.name'],
  ['integration.type'],
  ['details.key'],
  ['details.value'],
];

/** A text that a search may go on with. */
export interface Completion {
  /** What is added, such as `priority:`. */
  readonly name: string;
  /** The search with it. */
  readonly text: string;
}

/** The most completions that are offered at a time. */
const MAX_SHOWN = 6;

/** The last word of a search, and its field where it is a value. Within quotes nothing is completed. */
const LAST_WORD = /(?:^|[\s(])(?:([\w.]+)\s*:\s*\(?)?([\w.]*)$/;

/** What a search may go on with, by its last word: the names of fields, or the values of one. None after a blank. */
export function completionsOf(text: string): readonly Completion[] {
  const isQuoted = text.split('"').length % 2 === 0;
  const [, field, word = ''] = LAST_WORD.exec(text) ?? [];
  if (isQuoted || (field === undefined && word === '')) return [];
  const before = text.slice(0, text.length - word.length);
  const names = field === undefined ? FIELDS.map(([name]) => `${name}:`) : valuesOf(field).map((value) => `${value} `);
  const typed = word.toLowerCase();
  return names
    .filter((name) => name.toLowerCase().startsWith(typed) && name.trim().toLowerCase() !== typed)
    .slice(0, MAX_SHOWN)
    .map((name) => ({ name: name.trim(), text: `${before}${name}` }));
}

const valuesOf = (field: string): readonly string[] =>
  FIELDS.find(([name]) => name.toLowerCase() === field.toLowerCase())?.[1] ?? [];
