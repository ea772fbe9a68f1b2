import { shiftsOf, type Span } from '../../timeline.ts';
import { textIn } from '../json.ts';
import type { SnapshotRecord } from '../snapshot/part-file.ts';
import { timelineIn } from '../timeline.ts';
import type { Finding, NotKnown } from './finding.ts';

const DAYS = 14;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** More are counted, not listed. */
const MAX_PERIODS = 20;

/** What is known of a schedule. */
export interface ScheduleReport {
  readonly finding?: Finding;
  readonly notKnown?: NotKnown;
  /** Whether a user, a team or an escalation is on call at any time of the timeline; undefined where that is not known. */
  readonly hasRecipient?: boolean;
}

/** The times without a user on call in the 14 days after `from`, which is when the account was read, by its own timeline. */
export function scheduleReport({ id, parts, value }: SnapshotRecord, from: number): ScheduleReport {
  const name = textIn(value, 'name') ?? id;
  if (value['enabled'] === false) return { hasRecipient: false };
  const range = { from, until: from + DAYS * DAY_MS };
  const timeline = timelineIn(parts['timeline']?.[0]);
  if (timeline === undefined || timeline.from > range.from || timeline.until < range.until)
    return {
      notKnown: {
        what: `Times without a user on call in schedule [${name}]`,
        why: `no timeline of ${DAYS} days was read`,
      },
    };
  const gaps = shiftsOf(timeline.final, range).filter(({ names }) => names.length === 0);
  const hours = gaps.reduce((sum, gap) => sum + gap.until - gap.from, 0) / HOUR_MS;
  const hasRecipient = hours < DAYS * 24;
  if (gaps.length === 0) return { hasRecipient };
  return { hasRecipient, finding: gapFinding(id, name, gaps, hours) };
}

function gapFinding(id: string, name: string, gaps: readonly Span[], hours: number): Finding {
  const periods = gaps.slice(0, MAX_PERIODS).map((gap) => ({
    startDate: new Date(gap.from).toISOString(),
    endDate: new Date(gap.until).toISOString(),
  }));
  const [first] = periods;
  const when =
    hours >= DAYS * 24
      ? `at any time of the ${DAYS} days`
      : `for ${Math.round(hours * 10) / 10} h of the ${DAYS} days, first from ${first?.startDate ?? ''} to ${first?.endDate ?? ''}`;
  return {
    ...{ kind: 'schedule-gap', severity: 'error', entity: { kind: 'schedules', id, name }, periods },
    message: `No user is on call in schedule [${name}] ${when}.`,
    remedy: 'Add a rotation or an override for these times.',
  };
}
