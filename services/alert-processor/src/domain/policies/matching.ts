import type { ConditionSubject, PatternBudget } from '@tocsin/rules';
import type { MaintenanceAt } from '../maintenance-at.ts';
import type { CompiledPolicy } from './compiled-rules.ts';
import type { WhySkipped } from './verdict.ts';

/** When a create was accepted, and the maintenance windows of that moment. */
export interface Moment {
  readonly at: Date;
  readonly maintenance: MaintenanceAt;
}

/** Why a policy is off, by a window or else by its own flag (P9); undefined if it is on. */
export function whyOff({ policy }: CompiledPolicy, { maintenance }: Moment): WhySkipped | undefined {
  const override = maintenance.ofPolicy({ id: policy.id, ownerTeamId: policy.teamId });
  if (override === undefined) return policy.enabled ? undefined : { kind: 'disabled' };
  return override.state === 'enabled' ? undefined : { kind: 'maintenance', maintenance: override.maintenance };
}

/** Why a policy that is on does not match; undefined if it does. Patterns are charged to the budget (P3). */
export function whyNot(
  { covers, conditions }: CompiledPolicy,
  { at }: Moment,
  subject: ConditionSubject,
  budget: PatternBudget,
): WhySkipped | undefined {
  if (!covers(at)) return { kind: 'time-restriction' };
  const explained = conditions(subject, budget);
  return explained.verdict === 'holds' ? undefined : { kind: 'conditions', explained, subject };
}
