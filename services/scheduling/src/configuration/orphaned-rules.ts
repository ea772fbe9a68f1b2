import { nextVersion } from '@tocsin/events';
import type { Change, Configuration } from './configuration.ts';
import type { ForwardingRule } from '../forwarding/forwarding.ts';
import type { Override } from '../schedules/override.ts';

/** The forwarding rules and overrides that are deleted with their users. */
export interface OrphanedRules {
  readonly forwardingRules: readonly ForwardingRule[];
  readonly overrides: readonly {
    readonly schedule: { readonly id: string; readonly name: string };
    override: Override;
  }[];
}

/** All users whom an override or a forwarding rule names, each once. */
export function namedByOverridesAndRules({ schedules, forwardingRules }: Configuration): ReadonlySet<string> {
  return new Set([
    ...schedules.all().flatMap(({ overrides }) => overrides.flatMap((override) => userOf(override) ?? [])),
    ...forwardingRules.all().flatMap(({ fromUserId, toUserId }) => [fromUserId, toUserId]),
  ]);
}

/** Deletes the overrides of deleted users, and the forwarding rules from and to them. The answer has the deleted ones (S12). */
export function withoutUsers(present: Configuration, deletedUserIds: ReadonlySet<string>): Change<OrphanedRules> {
  const forwardingRules = present.forwardingRules
    .all()
    .filter(({ fromUserId, toUserId }) => deletedUserIds.has(fromUserId) || deletedUserIds.has(toUserId));
  const orphaned = present.schedules.all().flatMap((schedule) => {
    const overrides = schedule.overrides.filter((override) => deletedUserIds.has(userOf(override) ?? ''));
    return overrides.length === 0 ? [] : [{ schedule, overrides }];
  });
  return {
    forwardingRules: { removed: forwardingRules },
    schedules: {
      put: orphaned.map(({ schedule, overrides }) => ({
        ...schedule,
        overrides: schedule.overrides.filter((override) => !overrides.includes(override)),
        version: nextVersion(schedule.version),
      })),
    },
    answer: {
      forwardingRules,
      overrides: orphaned.flatMap(({ schedule: { id, name }, overrides }) =>
        overrides.map((override) => ({ schedule: { id, name }, override })),
      ),
    },
  };
}

const userOf = ({ user }: Override): string | undefined => (user.type === 'user' ? user.id : undefined);
