import { integrationKind } from '@tocsin/api';
import type { IntegrationState, Responder, WebhookCommand } from '@tocsin/events';
import { alertSubject, compileConditions, type ConditionSubject, PatternBudget } from '@tocsin/rules';
import { type Alert, alertContent, teamsSeeing } from '../alerts/alert.ts';
import { acceptedAt } from '../alerts/decided.ts';
import { type Maintenance, maintenanceAt } from '../maintenance/maintenance.ts';
import type { WebhookEvent } from './webhook-event.ts';

/** Which events one integration selects. */
interface WebhookRule {
  readonly id: string;
  readonly ownerTeamId: string | undefined;
  readonly actions: ReadonlySet<WebhookCommand['action']>;
  readonly filter: ReturnType<typeof compileConditions>;
}

/** Which events all integrations select; never empty. */
export interface WebhookRules {
  readonly rules: readonly WebhookRule[];
}

/** Each channel of chat gets these, so that its posts stay as the alerts are. */
const UPDATES = ['Update'] as const;

/**
 * The rules of enabled integrations that send alert actions. Undefined if there are none, which costs nothing (F4).
 */
export function webhookRules(integrations: Iterable<IntegrationState>): WebhookRules | undefined {
  const rules: WebhookRule[] = [];
  for (const { id, enabled, ownerTeamId, type, webhook } of integrations)
    if (enabled && webhook !== undefined) {
      const { alertActions, alertFilter } = webhook;
      const actions = new Set([...alertActions, ...(integrationKind(type) === 'chat' ? UPDATES : [])]);
      rules.push({ id, ownerTeamId, actions, filter: compileConditions(alertFilter) });
    }
  return rules.length === 0 ? undefined : { rules };
}

/** The input of the rules besides the alert. */
export interface WebhookContext {
  /** The present name of a responder (the user name of a user); undefined if it is not known. */
  readonly nameOf: (type: Responder['type'], id: string) => string | undefined;
  /** The windows that may silence an integration (P9). */
  readonly maintenances: readonly Maintenance[];
}

/** How many owners may have a whole budget each for one alert, like the policies of the account and of a team. */
const WHOLE_BUDGETS = 2;

/**
 * The integrations that select what happened (P12). Each lists the action, its filter matches the alert after the
 * change, and no window silences it at the moment of acceptance (P9). A team's integration sees the alerts that the
 * team's keys see (K4), the account's integrations see all.
 *
 * A filter that would take too long does not match. The filters of one owner (a team or the account) share a budget, in
 * order, and the sum of all budgets is bounded, because pages wait behind this (P3).
 */
export function selectWebhooks(
  { rules }: WebhookRules,
  { action, alert, cause }: WebhookEvent,
  { maintenances, nameOf }: WebhookContext,
): readonly string[] {
  const asking = rules.filter(({ actions }) => actions.has(action));
  if (asking.length === 0) return [];
  const maintenance = maintenanceAt(maintenances, acceptedAt(cause));
  const teams = new Set(teamsSeeing(alert));
  const seeing = asking.filter(
    (rule) =>
      (rule.ownerTeamId === undefined || teams.has(rule.ownerTeamId)) && maintenance.silencing(rule) === undefined,
  );
  const budgets = budgetsOf(seeing);
  let subject: ConditionSubject | undefined;
  const described = (): ConditionSubject => (subject ??= alertSubject(alert, ({ type, id }) => nameOf(type, id)));
  const isSelected = ({ filter, ownerTeamId }: WebhookRule): boolean =>
    filter(described(), budgets.get(ownerTeamId) ?? new PatternBudget(0)) === 'holds';
  return seeing.filter(isSelected).map(({ id }) => id);
}

/** One budget per owner, whatever the other owners spend. */
function budgetsOf(rules: readonly WebhookRule[]): ReadonlyMap<string | undefined, PatternBudget> {
  const owners = new Set(rules.map(({ ownerTeamId }) => ownerTeamId));
  const share = Math.min(1, WHOLE_BUDGETS / owners.size);
  return new Map([...owners].map((owner) => [owner, PatternBudget.share(share)]));
}

type Names = Pick<WebhookContext, 'nameOf'>;

/** The command that calls the webhooks `integrationIds` about what happened. */
export function webhookCommand(event: WebhookEvent, integrationIds: readonly string[], names: Names): WebhookCommand {
  const { action, alert, cause, responder, ...more } = event;
  const { id, name, type } = cause.integration;
  const named = (one: Responder) => ({ ...one, name: names.nameOf(one.type, one.id) });
  return {
    ...more,
    commandId: commandIdOf(event),
    alertId: alert.id,
    version: alert.version,
    action,
    integrationIds: [...integrationIds],
    actor: cause.actor,
    through: { id, name, type },
    at: cause.acceptedAt,
    ...(responder && { responder: named(responder) }),
    alert: {
      ...alertContent(alert),
      updatedAt: alert.updatedAt.toISOString(),
      responders: alert.responders.map(named),
    },
    state: stateOf(alert),
  };
}

/** The state of an alert for those who show it as it is now. */
function stateOf({ acknowledged, report, snoozedUntil, status }: Alert): NonNullable<WebhookCommand['state']> {
  const { acknowledgedBy, closedBy } = report ?? {};
  return {
    status,
    acknowledged,
    ...(acknowledgedBy !== undefined && { acknowledgedBy }),
    ...(closedBy !== undefined && { closedBy }),
    ...(snoozedUntil && { snoozedUntil: snoozedUntil.toISOString() }),
  };
}

/** Deterministic. It names the responder that joined, because one request may add several. */
function commandIdOf({ action, cause: { requestId }, responder }: WebhookEvent): string {
  const joins = action === 'AddTeam' || action === 'AddRecipient';
  return joins && responder !== undefined
    ? `${requestId}:${action}:${responder.type}:${responder.id}`
    : `${requestId}:${action}`;
}
