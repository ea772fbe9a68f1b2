import { DELIVERY_ID_HEADER, type Page } from '@tocsin/contracts';
import { isNotice, type Delivery } from './delivery.ts';
import { noticeText } from './notice-mail.ts';
import { oneLine, quoted } from './one-line.ts';

/** A mail as it is handed to a provider. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for every try of one delivery, so that a mailbox can fold a repeat. */
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The sender of mails. */
export interface Sender {
  readonly accountName: string;
  /** The right side of message ids. */
  readonly messageIdHost: string;
  /** Where people reach the installation; unset: no mail has a link. */
  readonly publicUrl: string | undefined;
}

/**
 * Writes the mail of a delivery: what it is about, why this person is told, and by whom.
 *
 * Nothing of somebody else's making can pass for a line or a header of ours: it stands behind a name of ours in one line, or
 * behind a mark. Links lead to the address that the installation is told of, and nowhere else.
 */
export function writeMail(delivery: Delivery, { accountName, messageIdHost, publicUrl }: Sender): Mail {
  const { lines, subject } = isNotice(delivery) ? noticeText(delivery.notice, publicUrl) : pageText(delivery.page);
  return {
    to: delivery.to,
    subject: oneLine(subject),
    text: [...lines, '', oneLine(`-- ${accountName}`)].join('\n'),
    messageId: `<${delivery.deliveryId.replaceAll(/[^A-Za-z0-9.-]/g, '.')}@${messageIdHost}>`,
    headers: {
      // Asks programs that answer for people to be quiet (RFC 3834); no mail of ours may become another alert.
      'Auto-Submitted': 'auto-generated',
      ...(!isNotice(delivery) && { 'X-Tocsin-Alert-Id': oneLine(delivery.page.alertId) }),
      [DELIVERY_ID_HEADER]: oneLine(delivery.deliveryId),
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
  ].filter(([, value]) => value !== '');
  const details = Object.entries(alert.details).filter(([, value]) => value !== '');
  const title = `[${alert.priority}] ${alert.message} (#${alert.tinyId})`;
  return {
    subject: title,
    lines: [
      oneLine(title),
      ...paragraph(alert.description === '' ? [] : quoted(alert.description)),
      ...paragraph(facts.map(([name, value]) => oneLine(`${name}: ${value}`))),
      ...paragraph(details.flatMap(([name, value]) => quoted(`${name}: ${value}`))),
      ...paragraph([oneLine(`You are told because: ${why}.`)]),
    ],
  };
}

const paragraph = (lines: readonly string[]): readonly string[] => (lines.length === 0 ? [] : ['', ...lines]);
