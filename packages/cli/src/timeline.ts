/** A participant who is on call for a period in one layer (part 2, 2.7). */
export interface Period {
  readonly startDate: string;
  readonly endDate: string;
  readonly type: 'default' | 'override' | 'forwarding';
  readonly recipient: { readonly type: string; readonly id?: string; readonly name?: string };
}

/** The periods of every rotation in one layer. */
export interface Layer {
  readonly rotations: readonly { readonly name: string; readonly periods: readonly Period[] }[];
}

/** A schedule over a range, as the API draws it (part 2, 2.7). */
export interface Timeline {
  readonly _parent: { readonly id: string; readonly name: string; readonly enabled: boolean };
  readonly startDate: string;
  readonly endDate: string;
  readonly finalTimeline: Layer;
  readonly baseTimeline?: Layer;
  readonly overrideTimeline?: Layer;
  readonly forwardingTimeline?: Layer;
}

/** Half-open, in epoch milliseconds. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** A span for which one set of users is on call; none where it is empty. */
export interface Shift extends Span {
  readonly names: readonly string[];
}

export const spanOf = ({ startDate, endDate }: Pick<Period, 'startDate' | 'endDate'>): Span => ({
  from: Date.parse(startDate),
  until: Date.parse(endDate),
});

/** The people of a layer over `range`, without a gap and without two like neighbours: every instant lies in one shift. */
export function shiftsOf(layer: Layer, range: Span): readonly Shift[] {
  const periods = layer.rotations.flatMap((rotation) => rotation.periods).filter(hasRecipient);
  const spans = periods.map((period) => ({ ...spanOf(period), name: nameOf(period) }));
  const inside = (instant: number) => instant > range.from && instant < range.until;
  const changes = new Set(spans.flatMap(({ from, until }) => [from, until]).filter(inside));
  const bounds = [range.from, ...[...changes].sort((a, b) => a - b), range.until];
  const shifts: Shift[] = [];
  for (const [at, from] of bounds.slice(0, -1).entries()) {
    const until = bounds[at + 1] ?? range.until;
    const names = [...new Set(spans.filter((span) => span.from <= from && from < span.until).map(({ name }) => name))];
    const last = shifts.at(-1);
    if (last?.names.join('\n') === names.join('\n')) shifts[shifts.length - 1] = { from: last.from, until, names };
    else shifts.push({ from, until, names });
  }
  return shifts;
}

/**
 * When the people who are on call at `now` are no longer exactly those on call. Undefined where that is not before the end of
 * the timeline, or where a team or an escalation is on call, behind which people change by themselves.
 */
export function shiftEnd(timeline: Timeline, now: number): number | undefined {
  const range = spanOf(timeline);
  const current = timeline.finalTimeline.rotations
    .flatMap(({ periods }) => periods)
    .filter((period) => spanOf(period).from <= now && now < spanOf(period).until);
  if (current.some(({ recipient }) => !['user', 'none'].includes(recipient.type))) return undefined;
  const shift = shiftsOf(timeline.finalTimeline, range).find(({ from, until }) => from <= now && now < until);
  return shift === undefined || shift.until === range.until ? undefined : shift.until;
}

/** All periods of all layers that were asked for. */
export const periodsOf = (timeline: Timeline): readonly Period[] =>
  [timeline.baseTimeline, timeline.overrideTimeline, timeline.forwardingTimeline, timeline.finalTimeline].flatMap(
    (layer) => layer?.rotations.flatMap(({ periods }) => periods) ?? [],
  );

const hasRecipient = ({ recipient }: Period): boolean => recipient.type !== 'none';

/** The name of the user of a period; the id where that user is deleted. */
export const nameOf = ({ recipient: { type, id = '', name = `${type} ${id}` } }: Period): string => name;
