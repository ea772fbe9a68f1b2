import type { Exists } from '../configuration/mentions.ts';
import type { Override } from '../schedules/override.ts';
import type { NamedParticipant, Participant, Rotation, Schedule } from '../schedules/schedule.ts';
import { Restriction } from './restriction.ts';
import { byStart, clip, covers, gapsIn, stack, partsWithin, type Span } from './span.ts';
import { Turns, type Turn } from './turns.ts';

/** A participant, or deliberately none, for a span of time, and the override if one is in force. */
export interface AssignedSpan extends Span {
  readonly participant: Participant;
  readonly override: Override | undefined;
}

/** One rotation at one instant, layer by layer. */
export interface Layers {
  /** The turn that covers the instant, for `next` and `previous` too. */
  readonly turn: Turn | undefined;
  /** The time restriction of the rotation excludes the participant of the turn. */
  readonly restricted: boolean;
  /** The participant on call by rotation and restriction alone; undefined: none. */
  readonly base: Participant | undefined;
  /** The newest override that covers the instant and whose user exists. */
  readonly override: Override | undefined;
  /** The deleted users who would be on call: first those of overrides, then, where no override decides, those of the turn. */
  readonly passedOver: readonly SkippedParticipant[];
}

/** A deleted participant, or the deleted user of an override. */
export interface SkippedParticipant {
  readonly participant: NamedParticipant;
  /** The alias of the override. */
  readonly override?: string;
}

/** The participant of a turn, and the deleted participants before them. `participant` is undefined if all participants were deleted. */
export interface TurnHolder {
  readonly participant: Participant | undefined;
  readonly passedOver: readonly SkippedParticipant[];
}

interface OverrideSpan extends Span {
  readonly override: Override;
}

/**
 * One rotation with the overrides that concern it. Answers for instants and for ranges, and both agree at every instant (S5).
 * On a schedule without rotations there is one layer of overrides alone (S4).
 */
export class RotationLayer {
  readonly id: string;
  readonly name: string;
  readonly #participants: readonly Participant[];
  readonly #users: UserSet;
  readonly #turns: Turns | undefined;
  readonly #restriction: Restriction | undefined;
  /** The newest first. */
  readonly #overrides: readonly OverrideSpan[];

  /** `overrides` are those of the schedule that concern this rotation, the newest first. */
  constructor(
    { id, name }: { id: string; name: string },
    { timezone }: Schedule,
    overrides: readonly OverrideSpan[],
    rotation: Rotation | undefined,
  ) {
    this.id = id;
    this.name = name;
    this.#participants = rotation?.participants ?? [];
    this.#users = userSet(this.#participants);
    this.#turns = rotation && new Turns(rotation, timezone);
    this.#restriction = rotation?.timeRestriction && new Restriction(rotation.timeRestriction, timezone);
    this.#overrides = overrides;
  }

  at(instant: number, exists: Exists): Layers {
    const turn = this.#turns?.at(instant);
    const restricted = turn !== undefined && this.#restriction?.covers(instant) === false;
    const holder = turn === undefined || restricted ? NO_HOLDER : this.holderOf(turn.index, exists);
    const overrides = this.#overrides.filter((span) => covers(span, instant));
    const deciding = overrides.findIndex(({ override: { user } }) => canTakeTurn(user, exists));
    const deleted = overrides
      .slice(0, deciding < 0 ? overrides.length : deciding)
      .flatMap(({ override: { alias, user } }) =>
        user.type === 'none' ? [] : [{ participant: user, override: alias }],
      );
    const override = overrides[deciding]?.override;
    const passedOver = override === undefined ? [...deleted, ...holder.passedOver] : deleted;
    return { turn, restricted, base: holder.participant, override, passedOver };
  }

  /**
   * The participant of turn number `index`, also before the first and after the last turn. If that participant was deleted, the
   * next one in `direction` who exists.
   */
  holderOf(index: number, exists: Exists, direction: 1 | -1 = 1): TurnHolder {
    const passedOver: SkippedParticipant[] = [];
    const count = this.#participants.length;
    for (let step = 0; step < count; step += 1) {
      const participant = this.#participants[modulo(index + step * direction, count)];
      if (participant === undefined || canTakeTurn(participant, exists)) return { participant, passedOver };
      passedOver.push({ participant });
    }
    return { participant: undefined, passedOver };
  }

  /** The holder of the turn before or after the one that covers the instant of `layers`, if the rotation is active then (S9). */
  beside({ turn, restricted }: Layers, direction: 1 | -1, exists: Exists): TurnHolder {
    if (turn === undefined || restricted || this.#turns === undefined) return NO_HOLDER;
    return this.holderOf(this.#turns.neighbour(turn.index, direction), exists, direction);
  }

  /** The turn that takes place after the one that covers `instant`; undefined where there is no such turn. */
  turnAfter(instant: number): Turn | undefined {
    const turn = this.#turns?.at(instant);
    return turn && this.#turns?.after(turn);
  }

  /** The participants on call in `range` by rotation and restriction alone: in order, without overlap, cut to the range. */
  base(range: Span, exists: Exists): readonly AssignedSpan[] {
    const spans: AssignedSpan[] = [];
    const holders = new Map<number, Participant | undefined>();
    for (const turn of this.#turns?.during(range) ?? []) {
      const index = modulo(turn.index, this.#participants.length);
      const participant = holders.has(index) ? holders.get(index) : this.holderOf(index, exists).participant;
      holders.set(index, participant);
      const part = clip({ from: turn.from, until: turn.until }, range);
      if (participant && part) spans.push({ ...part, participant, override: undefined });
    }
    return this.#restriction === undefined ? spans : partsWithin(spans, this.#restriction.during(range));
  }

  /** The spans from overrides of existing users in `range`; the newest override wins. Sorted, without overlap, cut to the range. */
  overridden(range: Span, exists: Exists): readonly AssignedSpan[] {
    return stack(
      this.#overrides.flatMap((one) => {
        const part = clip(one, range);
        const { user } = one.override;
        return part !== undefined && canTakeTurn(user, exists) ? [{ ...part, participant: user }] : [];
      }),
    );
  }

  /**
   * Roughly how many shifts the layer has; hardly ever too few. One participant at a time is on call in a layer, so each instant at
   * which forwarding changes for any of its users begins one more shift at most.
   */
  maxShifts(range: Span, changesFor: (users: UserSet) => number): number {
    const perTurn = this.#turns?.maxIn(range) ?? 0;
    const concerned = this.#overrides.filter(({ from, until }) => from < range.until && until > range.from);
    const users =
      concerned.length === 0
        ? this.#users
        : userSet(this.#participants.concat(concerned.map(({ override }) => override.user)));
    return perTurn + (this.#restriction?.maxIn(range) ?? 0) + 2 * concerned.length + changesFor(users);
  }

  /** `overridden` of a range in front of `base`, as in `at`. */
  composed(base: readonly AssignedSpan[], overridden: readonly AssignedSpan[], range: Span): readonly AssignedSpan[] {
    if (overridden.length === 0) return base;
    return [...partsWithin(base, gapsIn(range, overridden)), ...overridden].sort(byStart);
  }
}

const NO_HOLDER: TurnHolder = { participant: undefined, passedOver: [] };

/** Whether the participant exists, or is `none`. */
const canTakeTurn = (one: Participant, exists: Exists): one is Participant => one.type === 'none' || exists(one);

const modulo = (value: number, count: number): number => ((value % count) + count) % count;

const userOf = (one: Participant): readonly string[] => (one.type === 'user' ? [one.id] : []);

/** Some users, each once. */
export interface UserSet {
  readonly ids: readonly string[];
  /** The same for the same users. */
  readonly key: string;
}

function userSet(participants: readonly Participant[]): UserSet {
  const ids = [...new Set(participants.flatMap(userOf))].sort();
  return { ids, key: ids.join() };
}

/** The layers of `schedule`, in the order of its rotations; made once for each schedule value. */
export function rotationLayersOf(schedule: Schedule): readonly RotationLayer[] {
  const known = rotationLayers.get(schedule);
  if (known !== undefined) return known;
  const overridesOf = overridesByRotation(schedule);
  const layers =
    schedule.rotations.length > 0
      ? schedule.rotations.map((rotation) => new RotationLayer(rotation, schedule, overridesOf(rotation.id), rotation))
      : [new RotationLayer({ id: schedule.id, name: '' }, schedule, overridesOf(schedule.id), undefined)];
  rotationLayers.set(schedule, layers);
  return layers;
}

/**
 * The overrides of a schedule by the rotation that they concern, the newest first. There may be a million pairs, so rotations without an
 * override of their own share one list.
 */
function overridesByRotation({ overrides }: Schedule): (rotationId: string) => readonly OverrideSpan[] {
  const spans = overrides
    .map((override) => ({ from: override.startAt.getTime(), until: override.endAt.getTime(), override }))
    .reverse();
  const named = new Set(spans.flatMap(({ override: { rotationIds = [] } }) => rotationIds));
  const lists = new Map<string, OverrideSpan[]>([...named].map((id) => [id, []]));
  const forAll: OverrideSpan[] = [];
  for (const span of spans) {
    const { rotationIds } = span.override;
    if (rotationIds === undefined) {
      forAll.push(span);
      for (const list of lists.values()) list.push(span);
    } else for (const id of new Set(rotationIds)) lists.get(id)?.push(span);
  }
  return (id) => lists.get(id) ?? forAll;
}

/** A write replaces a schedule and never changes it, so its layers do not change. */
const rotationLayers = new WeakMap<Schedule, readonly RotationLayer[]>();
