import type { Delivery } from './delivery.ts';

/** A mail as it is handed to a provider. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for every try of one delivery, so that a mailbox can fold a repeat. */
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** In whose name mails are written. */
export interface Sender {
  readonly accountName: string;
  /** The right side of message ids. */
  readonly messageIdHost: string;
}

/** Writes the mail of a delivery: what happened, how urgent it is, why this person is told, and by whom. */
export function writeMail(delivery: Delivery, { accountName, messageIdHost }: Sender): Mail {
  const { page } = delivery;
  const { alert } = page;
  const facts = [
    ['Priority', alert.priority],
    ['Alert', `#${alert.tinyId} (${page.alertId})`],
    ['Alias', alert.alias],
    ['Source', alert.source],
    ['Entity', alert.entity],
    ['Tags', alert.tags.join(', ')],
    ['Created', alert.createdAt],
    ...Object.entries(alert.details),
  ].filter(([, value]) => value !== '');
  const text = [
    alert.message,
    ...(alert.description === '' ? [] : ['', alert.description]),
    '',
    ...facts.map(([name, value]) => `${name}: ${value}`),
    '',
    `You are told because: ${page.why}.`,
    oneLine(`-- ${accountName}`),
  ].join('\n');
  return {
    to: delivery.to,
    subject: oneLine(`[${alert.priority}] ${alert.message} (#${alert.tinyId})`),
    text,
    messageId: `<${delivery.deliveryId.replaceAll(/[^A-Za-z0-9.-]/g, '.')}@${messageIdHost}>`,
    headers: { 'X-Tocsin-Alert-Id': page.alertId, 'X-Tocsin-Delivery-Id': delivery.deliveryId },
  };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
