import type { Answer } from '../api/answer.ts';

export type NextPage = Answer<'get-next-page'>['data'];

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A length of time to the second, such as `1 h 02 min 05 s`. */
function exactText(ms: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const [hours, minutes, seconds] = [ms / HOUR, (ms % HOUR) / MINUTE, (ms % MINUTE) / SECOND].map(Math.floor) as [
    number,
    number,
    number,
  ];
  if (hours > 0) return `${hours} h ${two(minutes)} min ${two(seconds)} s`;
  return minutes > 0 ? `${minutes} min ${two(seconds)} s` : `${seconds} s`;
}

/**
 * When the next page of an alert is due, or its escalation starts, counted down to the second. An instant that has passed is due now: the
 * page or start is late, or its record is on its way.
 */
export function countdownText({ at, state }: Pick<NextPage, 'at' | 'state'>, now: number): string {
  if (state === 'none') return 'No page is due.';
  if (state === 'unknown' || at === undefined) return 'The next page is not known now.';
  const left = Date.parse(at) - now;
  if (state === 'starts')
    return left < SECOND ? 'The escalation starts now.' : `The escalation starts in ${exactText(left)}.`;
  return left < SECOND ? 'The next page is due now.' : `Next page in ${exactText(left)}.`;
}

const SOON_MS = 5 * SECOND;
const SETTLED_MS = 30 * SECOND;
/** After a change of the alert so many reads come soon: the change reaches scheduling a moment later. */
const SOON_READS = 3;

/**
 * In how long to read the next page again, without a change of the alert: at its instant, as a rule that fires does not change the alert;
 * soon while it is late or not known, and rarely otherwise.
 *
 * @param next - the last answer; undefined before the first
 * @param reads - since the last change of the alert
 * @param now - in milliseconds since 1970
 */
export function nextReadMs(next: Pick<NextPage, 'at' | 'state'> | undefined, reads: number, now: number): number {
  if (next === undefined || next.state === 'unknown' || reads < SOON_READS) return SOON_MS;
  if (next.at === undefined) return SETTLED_MS;
  return Math.min(Math.max(Date.parse(next.at) - now, SOON_MS), SETTLED_MS);
}
