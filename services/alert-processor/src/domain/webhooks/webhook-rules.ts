import type { IntegrationState, Responder, WebhookAction } from '@tocsin/contracts';
import { alertSubject, compileConditions, PatternBudget, type ConditionSubject } from '@tocsin/rules';
import { teamsSeeing } from '../alert.ts';
import { acceptedAt } from '../decided.ts';
import { maintenanceAt } from '../maintenance-at.ts';
import type { Maintenance } from '../maintenance.ts';
import type { Happening } from './happening.ts';

/** What an integration wants to be told of. */
interface Wish {
  readonly id: string;
  readonly ownerTeamId: string | undefined;
  readonly actions: ReadonlySet<WebhookAction>;
  readonly filter: ReturnType<typeof compileConditions>;
}

/** What all integrations want to be told of; there is at least one that wants anything. */
export interface WebhookRules {
  readonly wishes: readonly Wish[];
}

/** The wishes of enabled integrations that send alert actions; undefined where there is none, so that it costs nothing (F4). */
export function webhookRules(integrations: Iterable<IntegrationState>): WebhookRules | undefined {
  const wishes: Wish[] = [];
  for (const { id, enabled, ownerTeamId, webhook } of integrations)
    if (enabled && webhook !== undefined) {
      const { alertActions, alertFilter } = webhook;
      wishes.push({ id, ownerTeamId, actions: new Set(alertActions), filter: compileConditions(alertFilter) });
    }
  return wishes.length === 0 ? undefined : { wishes };
}

/** What the wishes look at besides the alert. */
export interface WebhookContext {
  /** The present name of a responder, user name for users, where it is known. */
  readonly nameOf: (type: Responder['type'], id: string) => string | undefined;
  /** The windows that may silence an integration (P9). */
  readonly maintenances: readonly Maintenance[];
}

/** So many owners may have whole budgets of their own for one alert, as policies of the account and of a team have. */
const WHOLE_BUDGETS = 2;

/**
 * The integrations that want to be told of what happened (P12): it lists the action, its filter holds for the alert as it is
 * then, and no window silences it at the moment of acceptance (P9). An integration of a team sees the alerts that the team's
 * keys see (K4), one of the account sees all.
 *
 * A filter that would take too long does not hold: the filters of one team, or of the account, share a budget, the first ones
 * first, and the budgets of all of them have a bound, because pages wait behind this (P3).
 */
export function wantedBy(
  { wishes }: WebhookRules,
  { action, alert, command }: Happening,
  { maintenances, nameOf }: WebhookContext,
): readonly string[] {
  const asking = wishes.filter(({ actions }) => actions.has(action));
  if (asking.length === 0) return [];
  const maintenance = maintenanceAt(maintenances, acceptedAt(command));
  const teams = new Set(teamsSeeing(alert));
  const seeing = asking.filter(
    (wish) =>
      (wish.ownerTeamId === undefined || teams.has(wish.ownerTeamId)) && maintenance.silencing(wish) === undefined,
  );
  const budgets = budgetsOf(seeing);
  let subject: ConditionSubject | undefined;
  const described = (): ConditionSubject => (subject ??= alertSubject(alert, ({ type, id }) => nameOf(type, id)));
  const isWanted = ({ filter, ownerTeamId }: Wish): boolean =>
    filter(described(), budgets.get(ownerTeamId) ?? new PatternBudget(0)) === 'holds';
  return seeing.filter(isWanted).map(({ id }) => id);
}

/** Of each owner, whatever the others spend. */
function budgetsOf(wishes: readonly Wish[]): ReadonlyMap<string | undefined, PatternBudget> {
  const owners = new Set(wishes.map(({ ownerTeamId }) => ownerTeamId));
  const share = Math.min(1, WHOLE_BUDGETS / owners.size);
  return new Map([...owners].map((owner) => [owner, PatternBudget.share(share)]));
}
