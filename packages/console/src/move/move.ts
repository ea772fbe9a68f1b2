import type { Answer } from '../api/answer.ts';
import { CallError } from '../api/call-error.ts';

export type Move = Answer<'get-move'>['data'];
export type Condition = Move['conditions'][number];
export type Shadow = Answer<'get-shadow'>['data'];

export const CONDITION_NAMES: Readonly<Record<Condition['name'], string>> = {
  imported: 'Import',
  'on-call': 'Users on call',
  duration: 'Time in shadow',
  alerts: 'Compared alerts',
  differences: 'Differences',
};

/** The word of each state, and a mark beside it whose shape tells it from the others. */
export const STATES: Readonly<Record<Condition['state'], { readonly word: string; readonly mark: string }>> = {
  met: { word: 'Met', mark: '✓' },
  unmet: { word: 'Not met', mark: '✗' },
  unknown: { word: 'Not known', mark: '?' },
};

const OLD_AFTER_MS = 86_400_000;

/** Whether a check is older than a day at `now`, in milliseconds since 1970. */
export const isOld = (move: Pick<Move, 'checkedAt'>, now: number): boolean =>
  now - Date.parse(move.checkedAt) > OLD_AFTER_MS;

const isMet = ({ state }: Pick<Condition, 'state'>): boolean => state === 'met';

/** Where the account stands, in a sentence or two. */
export function standingText(move: Move, { enabled }: Pick<Shadow, 'enabled'>, now: number): string {
  const met = move.conditions.filter(isMet).length;
  const [count, all] = [`${met} of ${move.conditions.length} conditions`, met === move.conditions.length];
  if (!all) return `${count} ${isOld(move, now) ? 'were' : 'are'} met. Not ready for the switch.`;
  if (!enabled) return `${count} were met, and shadow is off: Tocsin pages users.`;
  return isOld(move, now)
    ? `${count} were met. Check again before the switch.`
    : `${count} are met. Ready for the switch.`;
}

/** How many texts of a condition are open; more of them are folded. */
const MAX_OPEN = 5;

/** What a condition lacks: the texts that are open, those that are folded, and how many the check does not list. */
export function missingOf({ missing, missingCount = missing.length }: Pick<Condition, 'missing' | 'missingCount'>): {
  readonly open: readonly string[];
  readonly folded: readonly string[];
  readonly unlisted: number;
} {
  // A fold of one text takes as much space as the text.
  const open = missing.length > MAX_OPEN + 1 ? MAX_OPEN : missing.length;
  return { open: missing.slice(0, open), folded: missing.slice(open), unlisted: missingCount - missing.length };
}

/** Something to do next. */
export interface Step {
  readonly what: string;
  readonly command: string;
}

const OPSGENIE = 'https://api.opsgenie.com';

/** They run as they are, in a folder with `key.txt`, `snapshot` and `mirror`. */
const commandsFor = (from: string) => {
  const account = `--from ${from} --key-file key.txt`;
  return {
    preflight: `tocsin import preflight ${account}`,
    fetch: `tocsin import fetch ${account} --to snapshot`,
    plan: 'tocsin import plan --from-snapshot snapshot',
    parity: `tocsin parity ${account}`,
    start: 'tocsin shadow start',
    mirror: `tocsin shadow mirror ${account} --from-snapshot snapshot --place mirror`,
    report: `tocsin shadow report ${account} --place mirror`,
    check: `tocsin cutover check ${account} --from-snapshot snapshot --place mirror --publish`,
    stop: 'tocsin shadow stop',
    retire: (since: string) => `tocsin cutover retire ${account} --since ${since}`,
  };
};

/** The first commands of a move, where no check is published. */
export function firstSteps(from: string = OPSGENIE): readonly Step[] {
  const { fetch, plan, preflight } = commandsFor(from);
  return [
    { what: 'See what blocks the move, and what is to be decided.', command: preflight },
    { what: 'Read the account into a folder. Nothing changes in it.', command: fetch },
    { what: 'See what the import would do, and what is not moved as it is.', command: plan },
  ];
}

/** What to do next after a check, in the order of the move. */
export function nextSteps(
  { conditions, from }: Move,
  { changedAt, enabled }: Pick<Shadow, 'changedAt' | 'enabled'>,
): readonly Step[] {
  const commands = commandsFor(from);
  const check = {
    what: 'Check again, with the time zone and locale of the import, and show the result here.',
    command: commands.check,
  };
  const isLeft = (...names: readonly Condition['name'][]): boolean =>
    conditions.some((condition) => names.includes(condition.name) && !isMet(condition));
  if (conditions.every(isMet)) {
    return enabled
      ? [check, { what: 'Have each tool send to Tocsin, then end shadow.', command: commands.stop }]
      : [{ what: 'See what still uses the old account.', command: commands.retire(changedAt) }];
  }
  const steps: readonly (Step & { readonly isDue: boolean })[] = [
    { isDue: isLeft('imported'), what: 'See what is not moved yet.', command: commands.plan },
    { isDue: isLeft('on-call'), what: 'See at which times other users are on call.', command: commands.parity },
    {
      isDue: isLeft('duration', 'alerts') && !enabled,
      what: 'Begin shadow: Tocsin takes alerts and sends no message.',
      command: commands.start,
    },
    { isDue: isLeft('duration', 'alerts'), what: 'Copy the alerts of the account.', command: commands.mirror },
    { isDue: isLeft('differences'), what: 'See which users each alert reached.', command: commands.report },
  ];
  return [...steps.filter(({ isDue }) => isDue).map(({ command, what }) => ({ command, what })), check];
}

/** Whether shadow is on, since when and by which key or user. The instant is between the words; undefined where shadow was never on. */
export function shadowText({ changedAt, changedBy, enabled }: Shadow): {
  readonly before: string;
  readonly since: string | undefined;
  readonly after: string;
} {
  if (!enabled && changedBy === undefined)
    return { before: 'Shadow is off', since: undefined, after: ': messages are sent.' };
  return {
    before: `Shadow is ${enabled ? 'on' : 'off'} since `,
    since: changedAt,
    after: `${changedBy === undefined ? '' : `, by ${changedBy}`}: ${enabled ? 'no message is sent to any user' : 'messages are sent'}.`,
  };
}

/** What the server says of a write that may be stored and is not confirmed; undefined for another failure, or none. */
export const unconfirmedText = (error: unknown): string | undefined =>
  error instanceof CallError && error.status === 503 ? error.message : undefined;
