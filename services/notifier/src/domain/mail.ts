import { DELIVERY_ID_HEADER, type Page } from '@tocsin/contracts';
import { isNotice, type Delivery } from './delivery.ts';
import { noticeText } from './notice-mail.ts';
import { oneLine } from './one-line.ts';

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

/** Writes the mail of a delivery: what it is about, why this person is told, and by whom. */
export function writeMail(delivery: Delivery, { accountName, messageIdHost }: Sender): Mail {
  const { lines, subject } = isNotice(delivery) ? noticeText(delivery.notice) : pageText(delivery.page);
  return {
    to: delivery.to,
    subject: oneLine(subject),
    text: [...lines, '', oneLine(`-- ${accountName}`)].join('\n'),
    messageId: `<${delivery.deliveryId.replaceAll(/[^A-Za-z0-9.-]/g, '.')}@${messageIdHost}>`,
    headers: {
      // Asks programs that answer for people to be quiet (RFC 3834); no mail of ours may become another alert.
      'Auto-Submitted': 'auto-generated',
      ...(!isNotice(delivery) && { 'X-Tocsin-Alert-Id': delivery.page.alertId }),
      [DELIVERY_ID_HEADER]: delivery.deliveryId,
    },
  };
}

/** What happened, how urgent it is, and why this person is told. */
function pageText({ alert, alertId, why }: Page) {
  const facts = [
    ['Priority', alert.priority],
    ['Alert', `#${alert.tinyId} (${alertId})`],
    ['Alias', alert.alias],
    ['Source', alert.source],
    ['Entity', alert.entity],
    ['Tags', alert.tags.join(', ')],
    ['Created', alert.createdAt],
    ...Object.entries(alert.details),
  ].filter(([, value]) => value !== '');
  return {
    subject: `[${alert.priority}] ${alert.message} (#${alert.tinyId})`,
    lines: [
      alert.message,
      ...(alert.description === '' ? [] : ['', alert.description]),
      '',
      ...facts.map(([name, value]) => `${name}: ${value}`),
      '',
      `You are told because: ${why}.`,
    ],
  };
}
