import type { Exists } from '../configuration/mentions.ts';
import type { Participant, Schedule } from '../schedules/schedule.ts';
import {
  rotationLayersOf,
  type Layers,
  type SkippedParticipant,
  type RotationLayer,
  type TurnHolder,
} from './rotation-layer.ts';

/** The turn of each active rotation: the one that covers the instant, or its neighbour (S9). */
export type ScheduleNotifyType = 'default' | 'next' | 'previous';

/** One rotation of a schedule at one instant, layer by layer: the input of every explanation. */
export interface RotationOnCall {
  /** On a schedule without rotations, the unnamed one for which its overrides count: its id is the schedule's (S4). */
  readonly rotation: { readonly id: string; readonly name: string };
  /** The turn that covers the instant, for `next` and `previous` too; undefined where only an override counts. */
  readonly turn: { readonly index: number; readonly startsAt: Date; readonly endsAt: Date } | undefined;
  /** The time restriction of the rotation excludes the participant of its turn. */
  readonly restricted: boolean;
  /** The override in force, and the participant whom it replaces; undefined without one. */
  readonly override: { readonly alias: string; readonly displaced: Participant | undefined } | undefined;
  readonly notifyType: ScheduleNotifyType;
  /** Before forwarding. `none` where no participant is on call. Never a deleted participant. */
  readonly participant: Participant;
  /** The deleted participants who would be on call instead. */
  readonly passedOver: readonly SkippedParticipant[];
}

/**
 * The participants on call at `at`, per rotation that has a turn or an override then: its restriction, then the newest override (S4).
 * For `next` and `previous`, of each active rotation the participant after or before, without overrides (S9). A deleted participant,
 * and an override with a deleted user, are skipped. Empty for a disabled schedule.
 */
export function participantsAt(
  schedule: Schedule,
  at: Date,
  notifyType: ScheduleNotifyType,
  exists: Exists,
): readonly RotationOnCall[] {
  if (!schedule.enabled) return [];
  return rotationLayersOf(schedule).flatMap((rotationLayer) => {
    const found = rotationLayer.at(at.getTime(), exists);
    const layers = notifyType === 'default' ? found : { ...found, override: undefined, passedOver: [] };
    if (layers.turn === undefined && layers.override === undefined && layers.passedOver.length === 0) return [];
    return [rotationOnCall(rotationLayer, layers, notifyType, exists)];
  });
}

const NO_PARTICIPANT: Participant = { type: 'none' };

function rotationOnCall(
  rotationLayer: RotationLayer,
  layers: Layers,
  notifyType: ScheduleNotifyType,
  exists: Exists,
): RotationOnCall {
  const { turn, restricted, override } = layers;
  const { participant = NO_PARTICIPANT, passedOver } = holderBy(notifyType, rotationLayer, layers, exists);
  return {
    rotation: { id: rotationLayer.id, name: rotationLayer.name },
    turn: turn && { index: turn.index, startsAt: new Date(turn.from), endsAt: new Date(turn.until) },
    restricted,
    override: override && { alias: override.alias, displaced: layers.base },
    notifyType,
    participant,
    passedOver,
  };
}

function holderBy(
  notifyType: ScheduleNotifyType,
  rotationLayer: RotationLayer,
  layers: Layers,
  exists: Exists,
): TurnHolder {
  switch (notifyType) {
    case 'default':
      return { participant: layers.override?.user ?? layers.base, passedOver: layers.passedOver };
    case 'next':
      return rotationLayer.beside(layers, 1, exists);
    case 'previous':
      return rotationLayer.beside(layers, -1, exists);
  }
}
