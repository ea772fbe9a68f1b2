import type { Clock } from '@tocsin/core';
import type { WebhookCommand } from '@tocsin/events';
import type { Stages } from '@tocsin/kafka';
import { webhookDeadLetterDecision } from './decisions.ts';
import { planWebhooks } from './webhook-delivery.ts';
import type { WebhookCalls, NewWebhooks } from '../queue/webhook-call-store.ts';

type Session = Parameters<WebhookCalls['add']>[1];

export interface WebhookCommandPorts {
  readonly webhooks: Pick<WebhookCalls, 'add' | 'addDecision' | 'findCalled' | 'findKnown'>;
  /** The posts about alerts in channels of chat. */
  readonly posts: PostedAlerts;
  /** Whether an integration is a channel of chat. */
  readonly isChat: (integrationId: string) => boolean;
  readonly clock: Clock;
}

interface PostedAlerts {
  /** The channels with a post about one of these alerts. */
  integrationsOf(
    alertIds: readonly string[],
    session: Session,
  ): Promise<readonly { readonly alertId: string; readonly integrationId: string }[]>;
}

/** What is stored about the commands of a batch. */
interface KnownCommands {
  /** The ids of the calls that were added before. */
  readonly known: ReadonlySet<string>;
  /** The commands, a deletion also for each channel that has a post about its alert, or may get one. */
  readonly commands: readonly WebhookCommand[];
}

/**
 * Consumes `webhook-commands.v1`: adds the calls that the commands ask for, each once, also where a command comes twice. The waiting
 * calls of an alert that was deleted are erased, and each channel that has a post about it erases that, whatever its integration selects (A6).
 */
export const webhookCommands = ({
  clock,
  isChat,
  posts,
  webhooks,
}: WebhookCommandPorts): Stages<WebhookCommand, Session, Date, KnownCommands, NewWebhooks> => ({
  prepare: () => Promise.resolve(clock.now()),
  read: async (session, records) => {
    const given = records.map(({ value }) => value);
    const deleted = given.filter(({ action }) => action === 'Delete').map(({ alertId }) => alertId);
    const called = await webhooks.findCalled(deleted, session);
    const channels = called.filter(({ integrationId }) => isChat(integrationId));
    const following = [...channels, ...(await posts.integrationsOf(deleted, session))];
    const commands = given.map((command) => withFollowers(command, following));
    return { known: await webhooks.findKnown(commands, session), commands };
  },
  decide: ({ commands, known }, _, now) => {
    const { deleted, deliveries, erased } = planWebhooks(commands, now, isChat);
    const added = deliveries.filter(({ deliveryId }) => !known.has(deliveryId));
    return {
      now,
      deleted,
      calls: added.filter(({ deliveryId }) => !erased.has(deliveryId)),
      erased: added.filter(({ deliveryId }) => erased.has(deliveryId)),
    };
  },
  write: (session, changes) => webhooks.add(changes, session),
  deadLetter: (session, { value }, reason) =>
    webhooks.addDecision(webhookDeadLetterDecision(value, reason, clock.now()), session),
});

function withFollowers(
  command: WebhookCommand,
  following: readonly { readonly alertId: string; readonly integrationId: string }[],
): WebhookCommand {
  if (command.action !== 'Delete') return command;
  const added = following
    .filter(({ alertId }) => alertId === command.alertId)
    .map(({ integrationId }) => integrationId);
  return { ...command, integrationIds: [...new Set([...command.integrationIds, ...added])] };
}
