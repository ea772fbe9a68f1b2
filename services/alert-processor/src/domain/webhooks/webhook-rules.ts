import type { IntegrationState, Responder, WebhookAction } from '@tocsin/contracts';
import { alertSubject, compileConditions, PatternBudget, type ConditionSubject } from '@tocsin/rules';
import { maySee } from '../alert.ts';
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

/**
 * The integrations that want to be told of what happened (P12): it lists the action, its filter holds for the alert as it is
 * then, and no window silences it at the moment of acceptance (P9). An integration of a team sees the alerts that the team's
 * keys see (K4), one of the account sees all. A filter that would take too long does not hold.
 */
export function wantedBy(
  { wishes }: WebhookRules,
  { action, alert, command }: Happening,
  { maintenances, nameOf }: WebhookContext,
): readonly string[] {
  const maintenance = maintenanceAt(maintenances, acceptedAt(command));
  let subject: ConditionSubject | undefined;
  const described = (): ConditionSubject => (subject ??= alertSubject(alert, ({ type, id }) => nameOf(type, id)));
  const isWanted = (wish: Wish): boolean =>
    wish.actions.has(action) &&
    maySee(alert, wish.ownerTeamId) &&
    maintenance.silencing(wish) === undefined &&
    wish.filter(described(), new PatternBudget()) === 'holds';
  return wishes.filter(isWanted).map(({ id }) => id);
}
