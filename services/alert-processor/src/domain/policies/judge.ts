import type { CreateAlert } from '@tocsin/contracts';
import { abbreviated, PatternBudget } from '@tocsin/rules';
import { acceptedAt } from '../decided.ts';
import { maintenanceAt } from '../maintenance-at.ts';
import { maintenanceLabel, type Maintenance } from '../maintenance.ts';
import { AlertModifier } from './alert-modifier.ts';
import { NO_RULES, type CompiledRules, type ScopeRules } from './compiled-rules.ts';
import { FlowPlanner } from './flow-planner.ts';
import { teamOf } from './judged-alert.ts';
import { entryOf, MOST_TOLD } from './judgement-entry.ts';
import { AT_ONCE, type Judgement, type JudgementContext } from './judgement.ts';
import { Verdicts, type FullJudgement, type Omitted } from './verdict.ts';

const NONE_OMITTED: Omitted = { applied: 0, skipped: 0 };

/**
 * What maintenance windows and policies make of one create (P5-P7, P9). Pure: every process with the same configuration
 * judges the same create alike.
 *
 * A create that is already dropped stays as it is. Never throws.
 */
export function judge(rules: CompiledRules, command: CreateAlert, context: JudgementContext): Judgement {
  const full = judgeInFull(rules, command, context, MOST_TOLD);
  return {
    command: full.command,
    flow: full.flow,
    // Computed when read: most creates are repeats, and those never read it.
    get entry() {
      return entryOf(full);
    },
  };
}

/** {@link judging} at once. */
function judgeInFull(
  rules: CompiledRules,
  command: CreateAlert,
  context: JudgementContext,
  most: number,
): FullJudgement {
  const steps = judging(rules, command, context, most);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Asks the maintenance windows of the integration first, then alert policies, then notification policies about the
 * modified alert (P5, P9). All times are the moment of acceptance. Verdicts beyond `most` of a kind are left out. Never
 * throws.
 *
 * It yields after the policies of each kind of the account and of the team, which may spend the whole of a pattern budget
 * (P3): other work may be done then.
 */
export function* judging(
  rules: CompiledRules,
  command: CreateAlert,
  context: JudgementContext,
  most = Infinity,
): Generator<undefined, FullJudgement> {
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

  const verdicts = new Verdicts(most);
  const modifier = new AlertModifier(command, moment, context, verdicts);
  modifier.try(rules.account.alert, budgets.account);
  yield;
  modifier.try(ofTeam(modifier.command).alert, budgets.team);
  yield;

  const { command: made, subject } = modifier;
  const { zone } = rules;
  const suppressedBy =
    made.alert.suppressed === undefined ? undefined : `integration [${abbreviated(made.integration.name)}]`;
  const planner = new FlowPlanner({ moment, subject, zone, suppressedBy, verdicts });
  planner.try(rules.account.notification, budgets.account);
  yield;
  planner.try(ofTeam(made).notification, budgets.team);
  const settled = verdicts.kept.map((verdict) => planner.settled(verdict));
  return { command: made, flow: planner.flow, verdicts: settled, omitted: verdicts.omitted };
}

const untouched = (command: CreateAlert): FullJudgement => ({
  command,
  flow: AT_ONCE,
  verdicts: [],
  omitted: NONE_OMITTED,
});

function dropped(command: CreateAlert, window: Maintenance): CreateAlert {
  const { name } = command.integration;
  return { ...command, dropped: `Ignored by maintenance ${maintenanceLabel(window)} of integration [${name}].` };
}

function teamRules({ teams }: CompiledRules, command: CreateAlert, context: JudgementContext): ScopeRules {
  if (teams.size === 0) return NO_RULES;
  const team = teamOf(command, context);
  return team === undefined ? NO_RULES : (teams.get(team) ?? NO_RULES);
}
