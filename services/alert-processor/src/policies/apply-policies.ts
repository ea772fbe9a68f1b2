import type { CreateAlert } from '@tocsin/events';
import { abbreviated, type ConditionSubject, PatternBudget } from '@tocsin/rules';
import { acceptedAt } from '../alerts/decided.ts';
import { type Maintenance, maintenanceAt, type MaintenanceAt, maintenanceLabel } from '../maintenance/maintenance.ts';
import {
  type AlertPolicy,
  type CompiledPolicy,
  type CompiledRules,
  NO_RULES,
  type NotificationPolicy,
  type ScopeRules,
} from './compiled-rules.ts';
import { type Effect, OVERRIDES, PLANNERS, type Plans } from './effects.ts';
import { modified } from './modify.ts';
import { entryOf, MAX_LISTED } from './policy-entry.ts';
import { AT_ONCE, type FlowPlan, type PolicyContext, type PolicyResult } from './policy-result.ts';
import { subjectOf, teamOf, templateFieldsOf } from './policy-subject.ts';
import type { Policy } from './policy.ts';
import { type FullPolicyResult, type Omitted, type PolicyFinding, PolicyFindings, type WhySkipped } from './finding.ts';

const NONE_OMITTED: Omitted = { applied: 0, skipped: 0 };

/**
 * The result of maintenance windows and policies for one create (P5-P7, P9). Pure: every process with the same configuration has the
 * same result.
 *
 * A create that is already dropped stays as it is. Never throws.
 */
export function applyPolicies(rules: CompiledRules, command: CreateAlert, context: PolicyContext): PolicyResult {
  const full = applyInFull(rules, command, context, MAX_LISTED);
  return {
    command: full.command,
    flow: full.flow,
    // Computed when read: most creates are repeats, and those never read it.
    get entry() {
      return entryOf(full);
    },
  };
}

/** {@link applyInSteps} at once. */
function applyInFull(
  rules: CompiledRules,
  command: CreateAlert,
  context: PolicyContext,
  most: number,
): FullPolicyResult {
  const steps = applyInSteps(rules, command, context, most);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Applies the maintenance windows of the integration first, then alert policies, then notification policies on the modified alert (P5,
 * P9). All times are the moment of acceptance. Findings beyond `most` of a kind are left out. Never throws.
 *
 * It lets the event loop run after the policies of each kind of the account and of the team, which may use a whole pattern budget (P3).
 */
export function* applyInSteps(
  rules: CompiledRules,
  command: CreateAlert,
  context: PolicyContext,
  most = Infinity,
): Generator<undefined, FullPolicyResult> {
  if (command.dropped !== undefined) return untouched(command);
  const at = acceptedAt(command);
  const maintenance = maintenanceAt(rules.maintenances, at);
  // Windows do not silence heartbeats: their users disable the heartbeat instead (H5).
  const window = command.ofHeartbeat === true ? undefined : maintenance.silencing(command.integration);
  if (window !== undefined) return untouched(dropped(command, window));
  if (!rules.hasPolicies) return untouched(command);
  const moment = { at, maintenance };
  const budgets = { account: new PatternBudget(), team: new PatternBudget() };
  const ofTeam = (create: CreateAlert): ScopeRules => teamRules(rules, create, context);

  const findings = new PolicyFindings(most);
  const modifier = new AlertModifier(command, moment, context, findings);
  modifier.try(rules.account.alert, budgets.account);
  yield;
  modifier.try(ofTeam(modifier.command).alert, budgets.team);
  yield;

  const { command: made, subject } = modifier;
  const { zone } = rules;
  const suppressedBy =
    made.alert.suppressed === undefined ? undefined : `integration [${abbreviated(made.integration.name)}]`;
  const planner = new FlowPlanner({ moment, subject, zone, suppressedBy, findings });
  planner.try(rules.account.notification, budgets.account);
  yield;
  planner.try(ofTeam(made).notification, budgets.team);
  const processed = findings.kept.map((finding) => planner.processed(finding));
  return { command: made, flow: planner.flow, findings: processed, omitted: findings.omitted };
}

const untouched = (command: CreateAlert): FullPolicyResult => ({
  command,
  flow: AT_ONCE,
  findings: [],
  omitted: NONE_OMITTED,
});

function dropped(command: CreateAlert, window: Maintenance): CreateAlert {
  const { name } = command.integration;
  return { ...command, dropped: `Ignored by maintenance ${maintenanceLabel(window)} of integration [${name}].` };
}

function teamRules({ teams }: CompiledRules, command: CreateAlert, context: PolicyContext): ScopeRules {
  if (teams.size === 0) return NO_RULES;
  const team = teamOf(command, context);
  return team === undefined ? NO_RULES : (teams.get(team) ?? NO_RULES);
}

/** Applies the alert policies of one scope after the other, until one matches that is without `continue` (P5). */
class AlertModifier {
  readonly #findings: PolicyFindings;
  readonly #moment: Moment;
  readonly #context: PolicyContext;
  #command: CreateAlert;
  #subject: ReturnType<typeof subjectOf> | undefined;
  #stoppedBy: string | undefined;

  constructor(command: CreateAlert, moment: Moment, context: PolicyContext, findings: PolicyFindings) {
    this.#findings = findings;
    this.#command = command;
    this.#moment = moment;
    this.#context = context;
  }

  /** The create as modified so far. */
  get command(): CreateAlert {
    return this.#command;
  }

  /** The create as modified so far, as conditions see it. */
  get subject(): ReturnType<typeof subjectOf> {
    this.#subject ??= subjectOf(this.#command, this.#context);
    return this.#subject;
  }

  /** Applies `policies` in their order. */
  try(policies: readonly AlertPolicy[], budget: PatternBudget): void {
    for (const one of policies) {
      const why =
        whyOff(one, this.#moment) ??
        (this.#stoppedBy === undefined
          ? whyNot(one, this.#moment, this.subject, budget)
          : ({ kind: 'stopped', by: this.#stoppedBy } as const));
      if (why === undefined) this.#findings.apply(this.#modify(one, budget));
      else this.#findings.skip(one, why);
    }
  }

  #modify({ policy, label, modify }: AlertPolicy, budget: PatternBudget): PolicyFinding {
    const before = this.#command;
    const fields = templateFieldsOf(before, this.#context);
    const { command: after, cut } = modified(before, modify, {
      fields,
      context: this.#context,
      mayRename: mayRename(policy, before),
      budget,
    });
    this.#command = after;
    this.#subject = undefined;
    if (!modify.continue) this.#stoppedBy = label;
    return { policy, label, outcome: 'modified', before, after, cut };
  }
}

/**
 * Whether `policy` may change the alias. A heartbeat's alert keeps its alias, because the next ping closes the alert by
 * it (H1). A team's policy may not change an alias in the account's scope, where the create would count on alerts of
 * others (P5, A16).
 */
function mayRename({ teamId }: Policy, { integration, ofHeartbeat }: CreateAlert): boolean {
  return ofHeartbeat !== true && (teamId === undefined || integration.ownerTeamId !== undefined);
}

interface FlowPlannerParts {
  readonly moment: Moment;
  readonly subject: ConditionSubject;
  readonly zone: string;
  readonly suppressedBy: string | undefined;
  readonly findings: PolicyFindings;
}

/** Applies the notification policies of one scope after the other. The first match sets each effect (P5, P6). */
class FlowPlanner {
  readonly #moment: Moment;
  readonly #subject: ConditionSubject;
  readonly #zone: string;
  readonly #findings: PolicyFindings;
  readonly #plans: Partial<Plans> = {};
  /** Effect -> the policy that set it. */
  readonly #claimed = new Map<Effect, string>();
  /** Effect -> the policy whose effect overrides it. */
  readonly #overriddenBy = new Map<Effect, string>();

  /** `suppressedBy` names the integration that has suppressed the alert already, if it has. */
  constructor({ moment, subject, zone, suppressedBy, findings }: FlowPlannerParts) {
    this.#moment = moment;
    this.#subject = subject;
    this.#zone = zone;
    this.#findings = findings;
    if (suppressedBy !== undefined) this.#claim('suppress', suppressedBy);
  }

  try(policies: readonly NotificationPolicy[], budget: PatternBudget): void {
    for (const one of policies) {
      const why = whyOff(one, this.#moment) ?? this.#needless(one) ?? whyNot(one, this.#moment, this.#subject, budget);
      if (why === undefined) this.#findings.apply(this.#plan(one));
      else this.#findings.skip(one, why);
    }
  }

  /** The finding about a policy after all policies: one whose effects are all overridden by later policies counts as skipped. */
  processed(finding: PolicyFinding): PolicyFinding {
    if (finding.outcome !== 'matched') return finding;
    const { policy, label } = finding;
    const effects = finding.effects.filter((effect) => !this.#overriddenBy.has(effect));
    if (effects.length > 0) return { policy, label, outcome: 'matched', effects };
    const by = this.#overriddenBy.get(finding.effects[0] ?? 'suppress') ?? '';
    return { policy, label, outcome: 'skipped', why: { kind: 'taken', by } };
  }

  /** The plan of all policies together. */
  get flow(): FlowPlan {
    const plan = <E extends Effect>(effect: E): Plans[E] | undefined =>
      this.#overriddenBy.has(effect) ? undefined : this.#plans[effect];
    const restart = plan('autoRestart');
    return {
      suppressed: plan('suppress'),
      hold: plan('delay') ?? plan('deduplication'),
      autoClose: plan('autoClose'),
      autoRestart: restart?.times === 0 ? undefined : restart,
    };
  }

  #needless({ effectNames }: NotificationPolicy): WhySkipped | undefined {
    let by: string | undefined;
    for (const effect of effectNames) {
      const owner = this.#overriddenBy.get(effect) ?? this.#claimed.get(effect);
      if (owner === undefined) return undefined;
      by ??= owner;
    }
    return by === undefined ? { kind: 'no-effect' } : { kind: 'taken', by };
  }

  #plan({ policy, label, effects, effectNames }: NotificationPolicy): PolicyFinding {
    const context = { label, at: this.#moment.at, zone: this.#zone };
    const planned: Effect[] = [];
    for (const effect of effectNames) {
      if (this.#claimed.has(effect) || this.#overriddenBy.has(effect)) continue;
      Object.assign(this.#plans, { [effect]: PLANNERS[effect](effects, context) });
      this.#claim(effect, label);
      planned.push(effect);
    }
    return { policy, label, outcome: 'matched', effects: planned };
  }

  #claim(effect: Effect, by: string): void {
    this.#claimed.set(effect, by);
    for (const other of OVERRIDES[effect] ?? []) if (!this.#overriddenBy.has(other)) this.#overriddenBy.set(other, by);
  }
}

/** When a create was accepted, and the maintenance windows of that moment. */
interface Moment {
  readonly at: Date;
  readonly maintenance: MaintenanceAt;
}

/** Why a policy is off, by a window or else by its own flag (P9); undefined if it is on. */
function whyOff({ policy }: CompiledPolicy, { maintenance }: Moment): WhySkipped | undefined {
  const override = maintenance.ofPolicy({ id: policy.id, ownerTeamId: policy.teamId });
  if (override === undefined) return policy.enabled ? undefined : { kind: 'disabled' };
  return override.state === 'enabled' ? undefined : { kind: 'maintenance', maintenance: override.maintenance };
}

/** Why a policy that is on does not match; undefined if it does. Patterns are charged to the budget (P3). */
function whyNot(
  { covers, conditions }: CompiledPolicy,
  { at }: Moment,
  subject: ConditionSubject,
  budget: PatternBudget,
): WhySkipped | undefined {
  if (!covers(at)) return { kind: 'time-restriction' };
  const explained = conditions(subject, budget);
  return explained.result === 'holds' ? undefined : { kind: 'conditions', explained, subject };
}
