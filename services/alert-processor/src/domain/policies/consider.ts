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
import { Verdicts, type Left } from './verdicts.ts';

/** What comes of a create, and verdicts on the policies that are for it, in the order in which they were asked. */
export interface Considered {
  readonly command: CreateAlert;
  readonly flow: FlowPlan;
  readonly verdicts: readonly PolicyVerdict[];
  readonly left: Left;
}

const NOTHING_LEFT: Left = { applied: 0, skipped: 0 };

/**
 * Maintenance windows of the integration first, then alert policies, then notification policies on what these made of the
 * alert (P5, P9). Times are those of the acceptance. Verdicts beyond `most` of a kind are left out. Never throws.
 */
export function consider(
  rules: CompiledRules,
  command: CreateAlert,
  context: JudgementContext,
  most = Infinity,
): Considered {
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

  const verdicts = new Verdicts(most);
  const modifying = new Modifying(command, moment, context, verdicts);
  modifying.try(rules.account.alert, budgets.account);
  modifying.try(ofTeam(modifying.command).alert, budgets.team);

  const { command: made, subject } = modifying;
  const { zone } = rules;
  const suppressedBy = made.alert.suppressed === undefined ? undefined : `integration [${told(made.integration.name)}]`;
  const planning = new Planning({ moment, subject, zone, suppressedBy, verdicts });
  planning.try(rules.account.notification, budgets.account);
  planning.try(ofTeam(made).notification, budgets.team);
  const settled = verdicts.kept.map((verdict) => planning.settled(verdict));
  return { command: made, flow: planning.flow, verdicts: settled, left: verdicts.left };
}

const untouched = (command: CreateAlert): Considered => ({ command, flow: AT_ONCE, verdicts: [], left: NOTHING_LEFT });

function dropped(command: CreateAlert, window: Maintenance): CreateAlert {
  const { name } = command.integration;
  return { ...command, dropped: `Ignored by maintenance ${calledWindow(window)} of integration [${name}].` };
}

function teamRules({ teams }: CompiledRules, command: CreateAlert, context: JudgementContext): ScopeRules {
  if (teams.size === 0) return NO_RULES;
  const team = teamOf(command, context);
  return team === undefined ? NO_RULES : (teams.get(team) ?? NO_RULES);
}
