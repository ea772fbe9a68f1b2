import type { AlertChange } from '../../answers/answer.ts';
import { ACTION_WORDS } from '../../answers/reply.ts';
import { oneLine } from '../../messages/safe-text.ts';

/** What a command in a chat requests (C9). */
export type Command =
  | { readonly kind: 'list' }
  /** Without a name: the schedules of the user's teams. */
  | { readonly kind: 'who'; readonly schedule?: string }
  | { readonly kind: 'alert'; readonly message: string; readonly team: string }
  /** The tiny ids are those of at least one alert, each once, in the order of the command. */
  | { readonly kind: 'change'; readonly change: AlertChange; readonly tinyIds: readonly string[] }
  /** `problem`: what is wrong with the command. */
  | { readonly kind: 'help'; readonly problem?: string };

/** In UTF-16 units. */
const MAX_TEXT = 4_000;
const MAX_ALERTS = 10;
const MAX_NAME = 200;
const MINUTE_MS = 60_000;
const MAX_SNOOZE_MS = 7 * 86_400_000;

const TINY_ID = /^#?0*([1-9]\d{0,14})$/;
/** Several are separated by commas, because a note may begin with a number. */
const NOTE = /^((?:#?\d{1,15}\s*,\s*){0,20}#?\d{1,15})(?:\s+([^]*))?$/;
const LENGTH = /^(?:for )?(\d{1,6}) ?(m|min|minutes?|h|hours?|d|days?)$/;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 1_440 * MINUTE_MS };
const HOUR_MS = 60 * MINUTE_MS;

/** What each command looks like, for the help. */
export const USAGE: readonly string[] = [
  'who [schedule]: who is on call in a schedule, or in those of your teams',
  'list: the open alerts',
  'alert "text" for team: opens an alert for a team',
  'ack 12 13: acknowledges alerts',
  'close 12 13: closes alerts',
  'snooze 12 13 for 2h: snoozes alerts, for an hour where it says no length',
  'note 12 text: adds a note to an alert; note 12, 13 text to several',
];

/** The command in a text. Never throws: what cannot be read is `help` with a problem. */
export function readCommand(text: string): Command {
  if (text.length > MAX_TEXT) return problem(`A command has at most ${MAX_TEXT} characters.`);
  const [, word = '', rest = ''] = /^(\S*)([^]*)$/.exec(text.trim()) ?? [];
  const read = READERS.get(word.toLowerCase());
  if (word === '') return { kind: 'help' };
  return read === undefined ? problem(`There is no command [${word.slice(0, MAX_NAME)}].`) : read(rest.trim());
}

const problem = (text: string): Command => ({ kind: 'help', problem: text });

const READERS: ReadonlyMap<string, (rest: string) => Command> = new Map([
  ...Object.entries(ACTION_WORDS).map(([word, action]) => [word, (rest: string) => changed(action, rest)] as const),
  ['snooze', snooze],
  ['note', note],
  ['alert', alert],
  ['who', (rest) => (isName(rest) ? { kind: 'who', ...(rest !== '' && { schedule: rest }) } : LONG_NAME)],
  ['list', (rest) => (rest === '' ? { kind: 'list' } : problem('list takes nothing more.'))],
  ['help', () => ({ kind: 'help' })],
]);

const isName = (name: string): boolean => name.length <= MAX_NAME;
const LONG_NAME = problem(`A name has at most ${MAX_NAME} characters.`);

function changed(action: AlertChange['action'], rest: string): Command {
  const { after, tinyIds } = leadingIds(rest);
  if (after !== '') return problem(`[${after.slice(0, MAX_NAME)}] is no number of an alert.`);
  return ofAlerts(tinyIds, { action });
}

function snooze(rest: string): Command {
  const { after, tinyIds } = leadingIds(rest);
  const lengthMs = after === '' ? HOUR_MS : lengthOf(after);
  if (lengthMs === undefined)
    return problem('The length of a snooze is such as 30m, 2h or 1d, from a minute to 7 days.');
  return ofAlerts(tinyIds, { action: 'snooze', lengthMs });
}

function note(rest: string): Command {
  const [, ids = '', text = ''] = NOTE.exec(rest) ?? [];
  if (text.trim() === '') return problem('A note has the number of an alert and a text.');
  return ofAlerts(leadingIds(ids).tinyIds, { action: 'note', note: text.trim() });
}

/** Phones write other quotation marks. */
function alert(rest: string): Command {
  const plain = rest.replaceAll(/[“”„‟«»]/g, '"');
  const end = plain.lastIndexOf('"');
  const message = rest.slice(1, Math.max(end, 1)).trim();
  const [, team = ''] = /^\s*for\s+(\S[^]*)$/i.exec(plain.slice(end + 1)) ?? [];
  if (!plain.startsWith('"') || oneLine(message) === '' || team === '')
    return problem('A new alert has a text in quotation marks and a team: alert "Disk is full" for Database.');
  return isName(team) ? { kind: 'alert', message, team } : LONG_NAME;
}

function ofAlerts(tinyIds: readonly string[], change: AlertChange): Command {
  if (tinyIds.length === 0) return problem('The command lacks the number of an alert, such as 12.');
  if (tinyIds.length > MAX_ALERTS) return problem(`A command names at most ${MAX_ALERTS} alerts.`);
  return { kind: 'change', change, tinyIds };
}

/** The numbers with which a text begins, each once, and what follows them on one line. */
function leadingIds(text: string): { readonly tinyIds: readonly string[]; readonly after: string } {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  const other = words.findIndex((word) => !TINY_ID.test(word));
  const count = other < 0 ? words.length : other;
  const ids = words.slice(0, count).map((word) => TINY_ID.exec(word)?.[1] ?? '');
  return { tinyIds: [...new Set(ids)], after: words.slice(count).join(' ') };
}

function lengthOf(text: string): number | undefined {
  const [, count = '', unit = ''] = LENGTH.exec(text.toLowerCase()) ?? [];
  const lengthMs = Number(count) * (UNITS[unit.slice(0, 1)] ?? 0);
  return lengthMs >= MINUTE_MS && lengthMs <= MAX_SNOOZE_MS ? lengthMs : undefined;
}
