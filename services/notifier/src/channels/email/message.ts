import { DELIVERY_ID_HEADER, ownMessageId } from '@tocsin/events';
import { abbreviated } from '@tocsin/rules';
import { linesOf, type ContentSettings } from '../../messages/content.ts';
import { contentOf } from '../../messages/message-content.ts';
import type { Outgoing } from '../../messages/bundle.ts';
import { oneLine } from '../../messages/safe-text.ts';
import { writeHtml } from './html.ts';

/** A mail as it is handed to a provider. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same as `text`, for programs that show HTML. */
  readonly html: string;
  /** The same for every try of one delivery, so that a mailbox can fold a repeat. */
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
}

const MAX_SUBJECT_LENGTH = 250;

/** What the content of mails needs. */
export interface MailSettings extends ContentSettings {
  /** The right side of message ids. */
  readonly messageIdHost: string;
}

/**
 * Writes the mail of a delivery: its subject, why this user is notified, and which installation sends it.
 *
 * Nothing that a caller wrote can pass for a line or a header of Tocsin: it stands behind a name in one line, or behind a mark.
 * Links lead to the public address of the installation, and nowhere else.
 */
export function writeMail(outgoing: Outgoing, settings: MailSettings): Mail {
  const { alertId, blocks, title } = contentOf(outgoing, settings);
  const signature = oneLine(`-- ${settings.accountName}`);
  return {
    to: outgoing.to,
    subject: abbreviated(oneLine(title), MAX_SUBJECT_LENGTH),
    text: [...blocks.flatMap((block) => [...linesOf(block), '']), signature].join('\n'),
    html: writeHtml(blocks, settings.accountName),
    messageId: ownMessageId(outgoing.deliveryId, settings.messageIdHost),
    headers: {
      // Both ask programs not to answer (RFC 3834); Exchange reads the second one.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(alertId !== undefined && conversation(alertId, settings)),
      [DELIVERY_ID_HEADER]: oneLine(outgoing.deliveryId),
    },
  };
}

/** All mails about an alert answer one that was never sent: by that, mailboxes show them as one conversation. */
function conversation(alertId: string, settings: MailSettings): Readonly<Record<string, string>> {
  const root = ownMessageId(`alert.${alertId}`, settings.messageIdHost);
  return { 'X-Tocsin-Alert-Id': oneLine(alertId), 'In-Reply-To': root, References: root };
}
