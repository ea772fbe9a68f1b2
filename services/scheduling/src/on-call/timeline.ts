import { finished, type Steps } from '@tocsin/core';
import type { Exists } from '../configuration/mentions.ts';
import type { Participant, Schedule } from '../schedules/schedule.ts';
import { RangeForwardings, type ForwardingView } from '../forwarding/forwarding.ts';
import { rotationLayersOf, type AssignedSpan, type RotationLayer } from './rotation-layer.ts';
import type { Span } from './span.ts';

/** A participant's time on call in one layer of a timeline. */
export interface Shift extends Span {
  readonly type: 'default' | 'override' | 'forwarding';
  /** `none` only in the layer of overrides. */
  readonly recipient: Participant;
  /** The user on call before forwarding, for `forwarding`. */
  readonly fromUserId: string | undefined;
}

/** The shifts of one rotation in one layer: in order, free of overlap, none like the one that it touches. */
export interface RotationTimeline {
  readonly rotation: { readonly id: string; readonly name: string };
  readonly shifts: readonly Shift[];
}

type Layer = 'base' | 'override' | 'forwarding' | 'final';

/** The shifts of a range by layer (part 2, 2.7). Each layer has one timeline for each rotation. */
export type Timeline = Readonly<Record<Layer, readonly RotationTimeline[]>>;

/**
 * Draws who is on call in `range` (S5): at every instant the final layer has the participants of `participantsAt`, forwarded. Teams and
 * escalations are not opened. The work grows with the number of shifts, not with the age of the rotations.
 */
export const timelineOf = (schedule: Schedule, range: Span, view: ForwardingView): Timeline =>
  finished(timelineSteps(schedule, range, view));

/** As {@link timelineOf}, layer by layer. */
export function* timelineSteps(schedule: Schedule, range: Span, view: ForwardingView): Steps<Timeline> {
  const forwardings = new RangeForwardings(range, view);
  const rotationLayers: { readonly rotation: RotationTimeline['rotation']; readonly drawn: typeof EMPTY }[] = [];
  for (const rotationLayer of rotationLayersOf(schedule)) {
    const drawn = schedule.enabled ? drawLayer(rotationLayer, range, { forwardings, exists: view.exists }) : EMPTY;
    rotationLayers.push({ rotation: { id: rotationLayer.id, name: rotationLayer.name }, drawn });
    yield;
  }
  const layer = (name: Layer) => rotationLayers.map(({ rotation, drawn }) => ({ rotation, shifts: drawn[name] }));
  return { base: layer('base'), override: layer('override'), forwarding: layer('forwarding'), final: layer('final') };
}

const EMPTY: Readonly<Record<Layer, readonly Shift[]>> = { base: [], override: [], forwarding: [], final: [] };

function drawLayer(
  rotationLayer: RotationLayer,
  range: Span,
  { exists, forwardings }: { readonly forwardings: RangeForwardings; readonly exists: Exists },
): Readonly<Record<Layer, readonly Shift[]>> {
  const [base, overridden] = [rotationLayer.base(range, exists), rotationLayer.overridden(range, exists)];
  const composed = merged(rotationLayer.composed(base, overridden, range).map(shiftOf).filter(hasRecipient));
  const final = composed.flatMap((shift) => forwarded(shift, forwardings));
  return {
    base: overridden.length === 0 ? composed : merged(base.map(shiftOf).filter(hasRecipient)),
    override: merged(overridden.map(shiftOf)),
    forwarding: merged(final.filter(({ type }) => type === 'forwarding')),
    final: merged(final),
  };
}

const shiftOf = ({ from, until, participant, override }: AssignedSpan): Shift => ({
  from,
  until,
  type: override === undefined ? 'default' : 'override',
  recipient: participant,
  fromUserId: undefined,
});

const hasRecipient = ({ recipient }: Shift): boolean => recipient.type !== 'none';

function forwarded(shift: Shift, forwardings: RangeForwardings): readonly Shift[] {
  const { recipient } = shift;
  if (recipient.type !== 'user') return [shift];
  return forwardings
    .during(recipient.id, shift)
    .map(({ from, until, userId, chain }): Shift =>
      chain.length === 0
        ? { ...shift, from, until }
        : { from, until, type: 'forwarding', recipient: { type: 'user', id: userId }, fromUserId: recipient.id },
    );
}

/** `shifts`, which are in order, with adjacent equal ones joined. */
export function merged(shifts: readonly Shift[]): readonly Shift[] {
  const result: Shift[] = [];
  for (const shift of shifts) {
    const last = result.at(-1);
    if (last?.until === shift.from && alike(last, shift)) {
      result[result.length - 1] = { ...last, until: shift.until };
    } else result.push(shift);
  }
  return result;
}

/** Whether two shifts differ only in their times. */
export const alike = (a: Shift, b: Shift): boolean =>
  a.type === b.type && a.fromUserId === b.fromUserId && sameParticipant(a.recipient, b.recipient);

// Most neighbours in one rotation are the same object.
const sameParticipant = (a: Participant, b: Participant): boolean => a === b || keyOf(a) === keyOf(b);

/** The same key for the same participant. */
export const keyOf = (one: Participant): string => (one.type === 'none' ? 'none' : `${one.type}:${one.id}`);
