import type { Clock } from '@tocsin/core';
import type { ResponderReference } from '@tocsin/events';
import type { Alert } from './alert.ts';
import { skipFirstDue, applyDueActions, type DueContext } from './apply-due.ts';
import type { CollectedChanges } from './changes.ts';
import type { Written } from './apply-commands.ts';
import { lookUp, type ResponderDirectory } from '../responders/client.ts';
import type { CurrentRules } from '../policies/apply-operations.ts';
import { type CurrentWebhooks, webhookCommands, type WebhookSelection } from '../webhooks/operations.ts';

export interface DueAlertsPorts {
  readonly rules: Pick<CurrentRules, 'get'>;
  /** Without it, no webhook commands are written. */
  readonly webhooks?: Pick<CurrentWebhooks, 'get'>;
  readonly directory: ResponderDirectory;
  readonly clock: Clock;
}

/** The input that is gathered before the transaction. */
export interface PreparedDue extends Omit<DueContext, 'onlyFirstItem'>, WebhookSelection {}

/** Does the scheduled actions of alerts: ends snoozes and delays, closes and restarts alerts, looks responders up again. */
export class DueAlerts {
  readonly #ports: DueAlertsPorts;

  constructor(ports: DueAlertsPorts) {
    this.#ports = ports;
  }

  /** Gathers the input for the alerts that are due at `until`. @throws UnavailableError when the database is unavailable. */
  async prepare(found: readonly Alert[], until: Date): Promise<PreparedDue> {
    const { clock, directory, rules, webhooks } = this.#ports;
    const webhookRules = webhooks?.get();
    const [resolve, compiled] = await Promise.all([
      lookUp(
        found.flatMap((alert) => waitingOf(alert, until)),
        directory,
      ),
      webhookRules === undefined ? undefined : rules.get(),
    ]);
    return {
      resolve,
      until,
      processedAt: clock.now(),
      hasWebhooks: webhookRules !== undefined,
      webhookRules,
      maintenances: compiled?.maintenances ?? [],
    };
  }

  /** The writes for `due`. `onlyFirstItem`: only the first due item of each. */
  async apply(
    due: readonly Alert[],
    { maintenances, webhookRules, ...context }: PreparedDue,
    { onlyFirstItem }: { readonly onlyFirstItem: boolean },
  ): Promise<Written> {
    const changes = applyDueActions(due, { ...context, onlyFirstItem });
    const webhooks = await webhookCommands(
      changes.webhookEvents,
      { maintenances, webhookRules },
      this.#ports.directory,
    );
    return { ...writtenOf(changes), webhooks };
  }

  /** The writes that leave out the first due item of an alert, which fails each time because of `reason`. */
  skipFirstItem(alert: Alert, reason: string): Written {
    return writtenOf(skipFirstDue(alert, reason, this.#ports.clock.now()));
  }
}

/** The writes without request statuses and files, because no request caused them. */
const writtenOf = (changes: CollectedChanges): Written => ({
  ...changes,
  statuses: [],
  links: [],
  released: [],
  hookItems: [],
});

/** The responders of an alert that are due to be looked up again. */
function waitingOf({ unresolved }: Alert, until: Date): readonly ResponderReference[] {
  if (unresolved === undefined || unresolved.dueAt > until) return [];
  return [...unresolved.responders, ...unresolved.visibleTo];
}
