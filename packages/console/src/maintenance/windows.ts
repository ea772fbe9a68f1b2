import { timeText } from '../schedules/time-text.ts';
import type { Span } from '../schedules/zone.ts';
import { lengthText } from '../ui/time.ts';
import { ruleText } from './entities.ts';
import type { Entity, Rule, WholeWindow, Window } from './queries.ts';

/** The times of a window; undefined where the API does not say them, because it was started for a length of time (P9). */
export const spanOf = ({ time }: Pick<Window, 'time'>): Span | undefined =>
  time.type === 'schedule' ? { from: Date.parse(time.startDate), until: Date.parse(time.endDate) } : undefined;

const LENGTHS: Readonly<Record<string, string>> = {
  'for-5-minutes': 'For 5 minutes from its start.',
  'for-30-minutes': 'For 30 minutes from its start.',
  'for-1-hour': 'For 1 hour from its start.',
  indefinitely: 'Until it is ended.',
};

/** When a window is, in a sentence with the times of `zone`. */
export function whenText(window: Pick<Window, 'time' | 'status'>, zone: string, now: number): string {
  const span = spanOf(window);
  if (span === undefined) return LENGTHS[window.time.type] ?? '';
  const [from, until] = [timeText(span.from, zone, now), timeText(span.until, zone, now)];
  if (window.status === 'active') {
    return `On until ${until}, for ${lengthText(span.until - now)} more. It began ${from}.`;
  }
  const begins = window.status === 'planned' ? `, in ${lengthText(span.from - now)}` : '';
  return `From ${from}${begins} until ${until}.`;
}

const STATUS_ORDER: readonly Window['status'][] = ['active', 'planned', 'past', 'cancelled'];

/** Those that are on first, by their end, then the planned ones by their start. One that ends by hand is the last of those that are on. */
export function inOrder<T extends Pick<Window, 'status' | 'time'>>(windows: readonly T[]): readonly T[] {
  const keyOfWindow = (window: T): number => {
    const span = spanOf(window);
    if (window.status === 'planned') return span?.from ?? 0;
    return span?.until ?? Number.MAX_SAFE_INTEGER;
  };
  return windows.toSorted(
    (one, other) =>
      STATUS_ORDER.indexOf(one.status) - STATUS_ORDER.indexOf(other.status) || keyOfWindow(one) - keyOfWindow(other),
  );
}

/** Past ones, the newest first. */
export const newestFirst = (windows: readonly Window[]): readonly Window[] =>
  windows.toSorted((one, other) => (spanOf(other)?.until ?? 0) - (spanOf(one)?.until ?? 0));

/** What another person changed of a window, a sentence each. */
export function changesBetween(
  before: WholeWindow,
  now: WholeWindow,
  { entities, zone }: { readonly entities: readonly Entity[]; readonly zone: string },
): readonly string[] {
  const textsOf = (window: WholeWindow) => [
    `It is ${window.status}`,
    `Its description is “${window.description}”`,
    timesText(window, zone),
    ...window.rules.map((rule) => ruleText(rule, entities)),
  ];
  const [was, is] = [textsOf(before), textsOf(now)];
  return [
    ...is.filter((text) => !was.includes(text)).map((text) => `${text} now.`),
    ...was
      .slice(FACTS)
      .filter((text) => !is.includes(text))
      .map((text) => `It said that ${text}, and does not now.`),
  ];
}

/** How many texts are not of rules. */
const FACTS = 3;

function timesText(window: Pick<Window, 'time'>, zone: string): string {
  const span = spanOf(window);
  return span === undefined
    ? `It lasts ${window.time.type.replaceAll('-', ' ')}`
    : `It is from ${timeText(span.from, zone)} until ${timeText(span.until, zone)}`;
}

/** Whether two lists of rules say the same. */
export function isSameRules(one: readonly Rule[], other: readonly Rule[]): boolean {
  const textOf = (rules: readonly Rule[]) =>
    rules
      .map(({ entity, state }) => `${entity.type} ${entity.id} ${state}`)
      .sort()
      .join('\n');
  return textOf(one) === textOf(other);
}
