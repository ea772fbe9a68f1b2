import type { TemplateFields } from '@tocsin/events';
import type { ConditionSubject } from '@tocsin/rules';

/** The fields of a mail for filters and templates of actions, besides its alert (part 1, 2.9). */
export interface MailFields {
  readonly fromAddress: string;
  readonly fromName: string;
  /** As it was sent, which the message of the alert is cut from. */
  readonly subject: string;
  readonly conversationSubject: string;
  /** The text of the mail. */
  readonly messages: string;
}

/** The fields under the names of conditions. */
export function mailConditions(mail: MailFields): ConditionSubject {
  return {
    'from-address': mail.fromAddress,
    'from-name': mail.fromName,
    subject: mail.subject,
    'conversation-subject': mail.conversationSubject,
    messages: mail.messages,
  };
}

/** The fields for templates, under each spelling that filters have (P2, P4). */
export function mailTemplateFields(mail: MailFields): TemplateFields {
  const { fromAddress, fromName, subject, conversationSubject, messages } = mail;
  return {
    subject,
    messages,
    from_address: fromAddress,
    'from-address': fromAddress,
    fromAddress,
    from_name: fromName,
    'from-name': fromName,
    fromName,
    conversation_subject: conversationSubject,
    'conversation-subject': conversationSubject,
    conversationSubject,
  };
}
