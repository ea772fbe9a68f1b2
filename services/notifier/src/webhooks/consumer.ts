import type { Clock } from '@tocsin/core';
import type { WebhookCommand } from '@tocsin/events';
import type { Stages } from '@tocsin/kafka';
import { webhookDeadLetterDecision } from './decisions.ts';
import { planWebhooks } from './webhook-delivery.ts';
import type { WebhookCalls, NewWebhooks } from '../queue/webhook-call-store.ts';

type Session = Parameters<WebhookCalls['add']>[1];

export interface WebhookCommandPorts {
  readonly webhooks: Pick<WebhookCalls, 'add' | 'addDecision' | 'known'>;
  readonly clock: Clock;
}

/**
 * Consumes `webhook-commands.v1`: adds the calls that the commands ask for, each once, also where a command comes twice. The waiting
 * calls of an alert that was deleted are erased (A6).
 */
export const webhookCommands = ({
  clock,
  webhooks,
}: WebhookCommandPorts): Stages<WebhookCommand, Session, Date, ReadonlySet<string>, NewWebhooks> => ({
  prepare: () => Promise.resolve(clock.now()),
  read: (session, records) =>
    webhooks.known(
      records.map(({ value }) => value),
      session,
    ),
  decide: (known, records, now) => {
    const { deleted, deliveries, erased } = planWebhooks(
      records.map(({ value }) => value),
      now,
    );
    const added = deliveries.filter(({ deliveryId }) => !known.has(deliveryId));
    return {
      now,
      deleted,
      waiting: added.filter(({ deliveryId }) => !erased.has(deliveryId)),
      gone: added.filter(({ deliveryId }) => erased.has(deliveryId)),
    };
  },
  write: (session, changes) => webhooks.add(changes, session),
  deadLetter: (session, { value }, reason) =>
    webhooks.addDecision(webhookDeadLetterDecision(value, reason, clock.now()), session),
});
