import { longWork } from '@tocsin/core';
import type { IntegrationState, WebhookCommand } from '@tocsin/events';
import type { ReplicaView } from '@tocsin/kafka';
import type { Maintenance } from '../maintenance/maintenance.ts';
import type { ResponderDirectory } from '../responders/client.ts';
import type { WebhookEvent } from './webhook-event.ts';
import {
  selectWebhooks,
  webhookCommand,
  type WebhookContext,
  type WebhookRules,
  webhookRules,
} from './webhook-rules.ts';

/** The rules by which webhooks are called. */
export interface WebhookSelection {
  /** Undefined where no webhook commands are written. */
  readonly webhookRules: WebhookRules | undefined;
  readonly maintenances: readonly Maintenance[];
}

/**
 * The webhook commands for `webhookEvents`, in their order: one for each that an integration selects, and one for each
 * deleted alert. It yields to the event loop now and then, because filters may cost as much as policies (P3).
 */
export async function webhookCommands(
  webhookEvents: readonly WebhookEvent[],
  { maintenances, webhookRules }: WebhookSelection,
  directory: Pick<ResponderDirectory, 'nameOf'>,
): Promise<readonly WebhookCommand[]> {
  if (webhookRules === undefined) return [];
  const context: WebhookContext = { maintenances, nameOf: (type, id) => directory.nameOf(type, id) };
  const commands: WebhookCommand[] = [];
  for (const event of webhookEvents) {
    if (longWork.isPauseDue()) await longWork.pause();
    const selecting = selectWebhooks(webhookRules, event, context);
    if (selecting.length > 0 || event.action === 'Delete') commands.push(webhookCommand(event, selecting, context));
  }
  return commands;
}

/** The rules of all webhooks at present; compiled anew only after an integration changed. */
export class CurrentWebhooks {
  readonly #integrations: Pick<ReplicaView<IntegrationState>, 'all' | 'whenChanged'>;
  #known: { readonly rules: WebhookRules | undefined } | undefined;

  constructor(integrations: Pick<ReplicaView<IntegrationState>, 'all' | 'whenChanged'>) {
    this.#integrations = integrations;
    integrations.whenChanged(() => {
      this.#known = undefined;
    });
  }

  /** Undefined if no integration wants anything. */
  get(): WebhookRules | undefined {
    this.#known ??= { rules: webhookRules(this.#integrations.all()) };
    return this.#known.rules;
  }
}
