import type { CreateAlert } from '@tocsin/contracts';
import { PatternBudget, told } from '@tocsin/rules';
import { acceptedAt } from '../decided.ts';
import { maintenanceAt } from '../maintenance-at.ts';
import type { Maintenance } from '../maintenance.ts';
import { calledWindow } from './called-window.ts';
import { NO_RULES, type CompiledRules, type ScopeRules } from './compiled-rules.ts';
import { teamOf } from './judged-alert.ts';
import { AT_ONCE, type FlowPlan, type JudgementContext } from './judgement.ts';
import { Modifying } from './modifying.ts';
import { Planning } from './planning.ts';
import type { PolicyVerdict } from './verdict.ts';

/** What comes of a create, and a verdict on each policy that is for it, in the order in which they were asked. */
export interface Considered {
  readonly command: CreateAlert;
  readonly flow: FlowPlan;
  readonly verdicts: readonly PolicyVerdict[];
}

/**
 * Maintenance windows of the integration first, then alert policies, then notification policies on what these made of the
 * alert (P5, P9). Times are those of the acceptance. Never throws.
 */
export function consider(rules: CompiledRules, command: CreateAlert, context: JudgementContext): Considered {
  if (command.dropped !== undefined) return untouched(command);
  const at = acceptedAt(command);
  const maintenance = maintenanceAt(rules.maintenances, at);
  // Whoever wants no word of a heartbeat disables the heartbeat (H5).
  const window = command.ofHeartbeat === true ? undefined : maintenance.silencing(command.integration.id);
  if (window !== undefined) return untouched(dropped(command, window));
  if (!rules.hasPolicies) return untouched(command);
  const moment = { at, maintenance };
  const budgets = { account: new PatternBudget(), team: new PatternBudget() };
  const ofTeam = (create: CreateAlert): ScopeRules => teamRules(rules, create, context);

  const modifying = new Modifying(command, moment, context);
  modifying.try(rules.account.alert, budgets.account);
  modifying.try(ofTeam(modifying.command).alert, budgets.team);

  const { command: made, subject } = modifying;
  const by = made.alert.suppressed === undefined ? undefined : `integration [${told(made.integration.name)}]`;
  const planning = new Planning(moment, subject, rules.zone, by);
  planning.try(rules.account.notification, budgets.account);
  planning.try(ofTeam(made).notification, budgets.team);
  return { command: made, flow: planning.flow, verdicts: [...modifying.verdicts, ...planning.verdicts] };
}

const untouched = (command: CreateAlert): Considered => ({ command, flow: AT_ONCE, verdicts: [] });

function dropped(command: CreateAlert, window: Maintenance): CreateAlert {
  const { name } = command.integration;
  return { ...command, dropped: `Ignored by maintenance ${calledWindow(window)} of integration [${name}].` };
}

function teamRules({ teams }: CompiledRules, command: CreateAlert, context: JudgementContext): ScopeRules {
  if (teams.size === 0) return NO_RULES;
  const team = teamOf(command, context);
  return team === undefined ? NO_RULES : (teams.get(team) ?? NO_RULES);
}
