import type { CreateAlertBody } from '@tocsin/api';
import { ALERT_LIMITS, namesOwnMessage } from '@tocsin/events';
import { fittingText, shortened } from '@tocsin/rules';
import { conversationOf } from './conversation.ts';
import type { Mail } from './mail.ts';
import type { MailFields } from './mail-fields.ts';

/** The request in a mail, as a body, and the parts of it that did not fit (P10). */
export interface MailedAlert {
  readonly body: CreateAlertBody;
  readonly fields: MailFields;
  /** One sentence each, for the alert's log (E8). */
  readonly cut: readonly string[];
  /** Whether it says that the trouble is over. */
  readonly recovery: boolean;
}

/** The origin of a mail besides its content. */
export interface Envelope {
  /** Empty where a mail system reports. */
  readonly sender: string;
}

const NO_SUBJECT = 'Mail without a subject';

/**
 * Subject becomes message, text description, the sender's address source and actor. `aliasOf` is called with the subject of the
 * conversation, so that answers find the alert; without one each mail is an alert of its own.
 */
export function mailedAlert(mail: Mail, { sender }: Envelope, aliasOf: (conversation: string) => string): MailedAlert {
  const { subject, text, from } = mail;
  const { subject: conversation, recovery } = conversationOf(subject, mail.listNames);
  const message = fittingText('message', subject, ALERT_LIMITS.message);
  const description = fittingText('description', text, ALERT_LIMITS.description);
  const address = from.address === '' ? sender : from.address;
  return {
    body: {
      message: subject === '' ? NO_SUBJECT : message.kept,
      description: description.kept,
      ...(conversation !== '' && { alias: aliasOf(conversation) }),
      ...(address !== '' && {
        source: shortened(address, ALERT_LIMITS.source),
        user: shortened(address, ALERT_LIMITS.user),
      }),
      responders: [],
      teams: [],
      visibleTo: [],
      actions: [],
      tags: [],
    },
    fields: {
      fromAddress: address,
      fromName: from.name,
      subject,
      conversationSubject: conversation,
      messages: text,
    },
    cut: [...message.cut, ...description.cut, ...leftOut(mail.attachmentsLeftOut)],
    recovery,
  };
}

const leftOut = (count: number): string[] => (count === 0 ? [] : [`attachments: ${count} of the mail were left out.`]);

/** The reason to refuse the mail, if any: a mail that answers a mail of Tocsin must never make another alert (P10). */
export function refusedAsLoop(mail: Pick<Mail, 'origin' | 'answers'>, envelopeSender: string): string | undefined {
  if (mail.origin === 'own-notice') return 'it is a notification of Tocsin';
  if (namesOwnMessage(mail.answers)) return 'it answers a notification of Tocsin';
  if (mail.origin === 'reply') return 'it is an automatic reply';
  return mail.origin === 'bounce' && envelopeSender === '' ? 'it is the report of a mail system' : undefined;
}
