import type { NotificationEffects, PolicyEffectsOf, PolicyV1Type, WrittenEffectsOf } from '@tocsin/contracts';
import { effectsOf, type Effect } from './effects.ts';
import { replacedModification } from './replaced-modification.ts';
import type { Policy, PolicyEffects } from './policy.ts';

/** The groups of version 1 in the order of its list; a policy has its place within its group (part 1, 4.5; P17). */
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

/** The first effect that a notification policy has gives it its type; the others version 1 does not show. */
const typingEffect = (effects: NotificationEffects): Effect | undefined => effectsOf(effects)[0];

/** The type that a policy with these effects has in version 1; undefined where it has none there, having no effect. */
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

/** Whether version 1 knows the policy: it is the account's, and has a type there. */
export const isInVersionOne = ({ teamId, effects }: Policy): boolean =>
  teamId === undefined && versionOneType(effects) !== undefined;

/** Whether version 1 counts the places of both together. */
export function shareGroup(one: Policy, other: Policy): boolean {
  const group = groupOf(one);
  return group !== undefined && group === groupOf(other);
}

function groupOf({ effects }: Policy): Group | undefined {
  const type = versionOneType(effects);
  return type && GROUP_OF[type];
}

/** Those of `policies` that version 1 knows, group after group, each with its place in its group, from 0 without gaps. */
export function inGroups(policies: readonly Policy[]): readonly { readonly policy: Policy; readonly order: number }[] {
  const known = policies.filter(isInVersionOne).toSorted((a, b) => a.order - b.order);
  return GROUPS.flatMap((group) =>
    known.filter((policy) => groupOf(policy) === group).map((policy, order) => ({ policy, order })),
  );
}

/**
 * What a replacement by version 1 makes of `present`: the one effect that it shows is replaced, those that it does not show
 * stay. Undefined where `written` is of another type, which a policy never changes.
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
