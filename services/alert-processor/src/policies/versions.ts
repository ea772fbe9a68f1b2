import type {
  ModificationOf,
  NotificationEffects,
  PolicyEffectsOf,
  PolicyV1Type,
  WrittenAlertEffectsOf,
  WrittenEffectsOf,
} from '@tocsin/api';
import { type Effect, effectsOf } from './effects.ts';
import type { Modification, Policy, PolicyEffects } from './policy.ts';

/** The groups of version 1, in the order of its list. A policy's place counts within its group (part 1, 4.5; P17). */
const GROUPS = ['auto-restart', 'auto-close', 'notification', 'modify'] as const;
type Group = (typeof GROUPS)[number];

const GROUP_OF: Readonly<Record<PolicyV1Type, Group>> = {
  'auto-restart-notifications': 'auto-restart',
  'auto-close': 'auto-close',
  'notification-suppress': 'notification',
  'notification-delay': 'notification',
  'notification-deduplication': 'notification',
  modify: 'modify',
};

const TYPE_OF: Readonly<Record<Effect, PolicyV1Type>> = {
  suppress: 'notification-suppress',
  delay: 'notification-delay',
  deduplication: 'notification-deduplication',
  autoClose: 'auto-close',
  autoRestart: 'auto-restart-notifications',
};

/** The first effect of a notification policy gives it its type. Version 1 does not show the others. */
const typingEffect = (effects: NotificationEffects): Effect | undefined => effectsOf(effects)[0];

/** The type of a policy with these effects in version 1; undefined if it has no effect, so no type. */
export function versionOneType(effects: PolicyEffectsOf<unknown>): PolicyV1Type | undefined {
  if (effects.kind === 'alert') return 'modify';
  const effect = typingEffect(effects);
  return effect && TYPE_OF[effect];
}

/** The one effect that version 1 shows. */
export function shownByVersionOne(effects: NotificationEffects): Partial<NotificationEffects> {
  const effect = typingEffect(effects);
  return effect === undefined ? {} : { [effect]: effects[effect] };
}

/** Whether version 1 shows the policy: it is the account's, and has a type there. */
export const isInVersionOne = ({ teamId, effects }: Policy): boolean =>
  teamId === undefined && versionOneType(effects) !== undefined;

/** Whether both policies are in the same group of version 1, so that their places count together. */
export function shareGroup(one: Policy, other: Policy): boolean {
  const group = groupOf(one);
  return group !== undefined && group === groupOf(other);
}

function groupOf({ effects }: Policy): Group | undefined {
  const type = versionOneType(effects);
  return type && GROUP_OF[type];
}

/** The policies that version 1 shows, group after group, each with its place in its group, from 0 without gaps. */
export function inGroups(policies: readonly Policy[]): readonly { readonly policy: Policy; readonly order: number }[] {
  const known = policies.filter(isInVersionOne).toSorted((a, b) => a.order - b.order);
  return GROUPS.flatMap((group) =>
    known.filter((policy) => groupOf(policy) === group).map((policy, order) => ({ policy, order })),
  );
}

/**
 * `present` after a PUT by version 1: the one effect that it shows is replaced, the others stay. Undefined if `written`
 * has another type: a policy never changes its type.
 */
export function replacedByVersionOne<R>(
  present: PolicyEffects,
  written: WrittenEffectsOf<R>,
): PolicyEffectsOf<R> | undefined {
  if (versionOneType(present) !== versionOneType(written)) return undefined;
  if (present.kind === 'notification')
    return written.kind === 'alert' ? undefined : { ...present, ...shownByVersionOne(written) };
  return written.kind === 'alert'
    ? { kind: 'alert', modify: replacedModification(present.modify, written) }
    : undefined;
}

/** The one flag that version 2 shows in place of both flags of version 1: true if both are. */
export const ignoresOriginalResponders = (modify: {
  readonly ignoreOriginalRecipients: boolean;
  readonly ignoreOriginalTeams: boolean;
}): boolean => modify.ignoreOriginalRecipients && modify.ignoreOriginalTeams;

/**
 * `present` after a PUT by version 2. If its one flag for responders is unchanged, both flags of version 1 stay (E10).
 * Undefined if `written` is of another kind: a policy never changes its kind.
 */
export function replacedByVersionTwo<R>(
  present: PolicyEffects,
  written: WrittenEffectsOf<R>,
): PolicyEffectsOf<R> | undefined {
  if (present.kind === 'notification') return written.kind === 'notification' ? written : undefined;
  if (written.kind === 'notification') return undefined;
  const modify = replacedModification(present.modify, written);
  if (ignoresOriginalResponders(present.modify) !== ignoresOriginalResponders(modify)) return { kind: 'alert', modify };
  const { ignoreOriginalRecipients, ignoreOriginalTeams } = present.modify;
  return { kind: 'alert', modify: { ...modify, ignoreOriginalRecipients, ignoreOriginalTeams } };
}

/**
 * The modification that a replacement of `present` asks for. A body may give one field under two names. The one that
 * differs from `present` counts: a caller who writes back what it read, changed under one name, means that one (E10).
 */
function replacedModification<R>(
  present: Modification,
  { modify, again = {} }: WrittenAlertEffectsOf<R>,
): ModificationOf<R> {
  const { description, actions } = again;
  return {
    ...modify,
    ...(description !== undefined && modify.description === present.description && { description }),
    ...(actions !== undefined && isSame(modify.actions, present.actions) && { actions }),
  };
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((word, index) => word === other[index]);
