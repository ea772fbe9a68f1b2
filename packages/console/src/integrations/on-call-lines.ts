import type { Integration } from './queries.ts';

/** What a channel shows of who is on call in a schedule. */
interface OnCallEntry {
  readonly schedule: { readonly id: string } | { readonly name: string };
  readonly topic: boolean;
  readonly announce: boolean;
  readonly userGroup?: string;
}

type ShownOnCall = NonNullable<Integration['onCall']>;

const USER_GROUP = /^S[A-Z0-9]{2,30}$/;
const WORDS: ReadonlySet<string> = new Set(['topic', 'announce']);

/** A line for each schedule, such as `Database nights: topic, announce, S0123456789`. */
export const onCallText = (entries: ShownOnCall = []): string =>
  entries
    .map(({ announce, schedule, topic, userGroup }) => {
      const words = [topic && 'topic', announce && 'announce', userGroup].filter(Boolean);
      return `${schedule.name}: ${words.join(', ')}`;
    })
    .join('\n');

/** What the lines ask for; undefined where one of them is none. A schedule that `before` names keeps its id. */
export function onCallOf(text: string, before: ShownOnCall = []): readonly OnCallEntry[] | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const entries = lines.map((line) => entryOf(line, before));
  const read = entries.filter((entry) => entry !== undefined);
  return read.length === entries.length ? read : undefined;
}

function entryOf(line: string, before: ShownOnCall): OnCallEntry | undefined {
  const colon = line.lastIndexOf(':');
  const name = line.slice(0, Math.max(0, colon)).trim();
  const words = line
    .slice(colon + 1)
    .split(/[\s,]+/)
    .filter(Boolean);
  const userGroup = words.find((word) => USER_GROUP.test(word));
  const isRead = words.length > 0 && words.every((word) => word === userGroup || WORDS.has(word.toLowerCase()));
  if (name === '' || !isRead) return undefined;
  const has = (word: string): boolean => words.some((each) => each.toLowerCase() === word);
  const known = before.find(({ schedule }) => schedule.name === name)?.schedule;
  return {
    schedule: known === undefined ? { name } : { id: known.id },
    topic: has('topic'),
    announce: has('announce'),
    ...(userGroup !== undefined && { userGroup }),
  };
}
