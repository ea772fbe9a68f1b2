import type { NotificationEffects, PolicyEffectsOf, PolicyV1Type, WrittenEffectsOf } from '@tocsin/contracts';
import { meant } from './meant.ts';
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

type Effect = Exclude<keyof NotificationEffects, 'kind'>;
type Typed = readonly [type: PolicyV1Type, effect: Effect];

/** The first that a notification policy has is its type; the others version 1 does not show. */
const EFFECTS: readonly Typed[] = [
  ['notification-suppress', 'suppress'],
  ['notification-delay', 'delay'],
  ['notification-deduplication', 'deduplication'],
  ['auto-close', 'autoClose'],
  ['auto-restart-notifications', 'autoRestart'],
];

const typedEffect = (effects: NotificationEffects): Typed | undefined =>
  EFFECTS.find(([, effect]) => effects[effect] !== undefined && effects[effect] !== false);

/** The type that a policy with these effects has in version 1; undefined where it has none there, having no effect. */
export function versionOneType(effects: PolicyEffectsOf<unknown>): PolicyV1Type | undefined {
  return effects.kind === 'alert' ? 'modify' : typedEffect(effects)?.[0];
}

/** The one effect that version 1 shows. */
export function shownByVersionOne(effects: NotificationEffects): Partial<NotificationEffects> {
  const typed = typedEffect(effects);
  return typed === undefined ? {} : { [typed[1]]: effects[typed[1]] };
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
  return written.kind === 'alert' ? { kind: 'alert', modify: meant(present.modify, written) } : undefined;
}
