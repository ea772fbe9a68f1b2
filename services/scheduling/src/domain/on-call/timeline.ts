import type { Exists } from '../mentions.ts';
import type { Participant, Schedule } from '../schedule.ts';
import { ForwardedIn, type ForwardingView } from './forwardings.ts';
import { rowsOf, type Duty, type Row } from './row.ts';
import type { Span } from './span.ts';
import { finished, type Steps } from './steps.ts';

/** A user's time on call in one layer of a timeline. */
export interface Period extends Span {
  readonly type: 'default' | 'override' | 'forwarding';
  /** `none` only in the layer of overrides. */
  readonly recipient: Participant;
  /** Whose duty it was at first, for `forwarding`. */
  readonly fromUserId: string | undefined;
}

/** The periods of one rotation in one layer: in order, free of overlap, none like the one that it touches. */
export interface TimelineRow {
  readonly rotation: { readonly id: string; readonly name: string };
  readonly periods: readonly Period[];
}

type Layer = 'base' | 'override' | 'forwarding' | 'final';

/** Who is on call in a range and by which layer (part 2, 2.7); every layer has a row for every rotation. */
export type Timeline = Readonly<Record<Layer, readonly TimelineRow[]>>;

/**
 * Draws who is on call in `range` (S5): at every instant the final layer names whom `participantsAt` names, forwarded.
 * Teams and escalations are not opened. The work grows with the number of periods, not with the age of the rotations.
 */
export const timelineOf = (schedule: Schedule, range: Span, view: ForwardingView): Timeline =>
  finished(timelineSteps(schedule, range, view));

/** As {@link timelineOf}, row by row. */
export function* timelineSteps(schedule: Schedule, range: Span, view: ForwardingView): Steps<Timeline> {
  const forwardings = new ForwardedIn(range, view);
  const rows: { readonly rotation: TimelineRow['rotation']; readonly drawn: typeof EMPTY }[] = [];
  for (const row of rowsOf(schedule)) {
    const drawn = schedule.enabled ? drawRow(row, range, { forwardings, exists: view.exists }) : EMPTY;
    rows.push({ rotation: { id: row.id, name: row.name }, drawn });
    yield;
  }
  const layer = (name: Layer) => rows.map(({ rotation, drawn }) => ({ rotation, periods: drawn[name] }));
  return { base: layer('base'), override: layer('override'), forwarding: layer('forwarding'), final: layer('final') };
}

const EMPTY: Readonly<Record<Layer, readonly Period[]>> = { base: [], override: [], forwarding: [], final: [] };

function drawRow(
  row: Row,
  range: Span,
  { exists, forwardings }: { readonly forwardings: ForwardedIn; readonly exists: Exists },
): Readonly<Record<Layer, readonly Period[]>> {
  const [base, overridden] = [row.base(range, exists), row.overridden(range, exists)];
  const composed = merged(row.composed(base, overridden, range).map(periodOf).filter(isSomebody));
  const final = composed.flatMap((period) => forwarded(period, forwardings));
  return {
    base: overridden.length === 0 ? composed : merged(base.map(periodOf).filter(isSomebody)),
    override: merged(overridden.map(periodOf)),
    forwarding: merged(final.filter(({ type }) => type === 'forwarding')),
    final: merged(final),
  };
}

const periodOf = ({ from, until, participant, override }: Duty): Period => ({
  from,
  until,
  type: override === undefined ? 'default' : 'override',
  recipient: participant,
  fromUserId: undefined,
});

const isSomebody = ({ recipient }: Period): boolean => recipient.type !== 'none';

function forwarded(period: Period, forwardings: ForwardedIn): readonly Period[] {
  const { recipient } = period;
  if (recipient.type !== 'user') return [period];
  return forwardings
    .during(recipient.id, period)
    .map(({ from, until, userId, chain }): Period =>
      chain.length === 0
        ? { ...period, from, until }
        : { from, until, type: 'forwarding', recipient: { type: 'user', id: userId }, fromUserId: recipient.id },
    );
}

/** `periods`, which are in order, with those that touch and say the same made one. */
export function merged(periods: readonly Period[]): readonly Period[] {
  const result: Period[] = [];
  for (const period of periods) {
    const last = result.at(-1);
    if (last?.until === period.from && alike(last, period)) {
      result[result.length - 1] = { ...last, until: period.until };
    } else result.push(period);
  }
  return result;
}

/** Whether two periods say the same of their times. */
export const alike = (a: Period, b: Period): boolean =>
  a.type === b.type && a.fromUserId === b.fromUserId && sameParticipant(a.recipient, b.recipient);

// Most neighbours of one rotation are the very same value.
const sameParticipant = (a: Participant, b: Participant): boolean => a === b || keyOf(a) === keyOf(b);

/** Equal for participants who are the same. */
export const keyOf = (one: Participant): string => (one.type === 'none' ? 'none' : `${one.type}:${one.id}`);
