/** A mail that came in, decoded: no text of it is longer than its reader allows. */
export interface Mail {
  /** As written, without white space around it; empty where the mail has none. */
  readonly messageId: string;
  /** As written; empty where the mail has none. */
  readonly date: string;
  /** Of everything that came, trace headers included, as SHA-256 in hexadecimal digits. */
  readonly digest: string;
  readonly from: MailSender;
  /** On one line. */
  readonly subject: string;
  /** What it says; of a mail in HTML alone, what a reader of it sees. */
  readonly text: string;
  /** What the header says of whoever answered. */
  readonly origin: MailOrigin;
  /** Inline images among them. */
  readonly attachments: readonly MailAttachment[];
  /** How many more there were. */
  readonly attachmentsLeftOut: number;
}

/** Empty strings for what the mail does not say. */
export interface MailSender {
  readonly address: string;
  readonly name: string;
}

/** A file of a mail. */
export interface MailAttachment {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** `reply`: a machine answers a mail; `own-notice`: Tocsin itself tells somebody of an alert. */
export type MailOrigin = 'sender' | 'reply' | 'own-notice';

/** `DELIVERY_ID_HEADER`, written out: the process that reads mails loads this file, and stays small without our packages. */
const OWN_NOTICE = 'x-tocsin-delivery-id';

interface Header {
  /** In lower case. */
  readonly key: string;
  readonly value: string;
}

/**
 * Whether a machine wrote the mail in answer to another (RFC 3834, section 5, and older habits), or Tocsin did. What a machine
 * writes of its own accord (`auto-generated`) is what monitoring sends: a mail like any other.
 */
export function originOf(headers: readonly Header[]): MailOrigin {
  if (headers.some(({ key }) => key === OWN_NOTICE)) return 'own-notice';
  return headers.some(saysReply) ? 'reply' : 'sender';
}

function saysReply({ key, value }: Header): boolean {
  const word = value.trim().toLowerCase();
  switch (key) {
    case 'auto-submitted':
      return /^auto-replied\b/.test(word);
    case 'precedence':
      return word === 'auto_reply';
    case 'x-autoreply':
    case 'x-autorespond':
      return word !== '' && word !== 'no';
    default:
      return false;
  }
}

/** Why nothing may come of the mail: one that answers our own mails must never make another alert (P10). */
export function refusedAsLoop(mail: Pick<Mail, 'origin'>, envelopeSender: string): string | undefined {
  if (mail.origin === 'own-notice') return 'it is a notification of Tocsin';
  if (mail.origin === 'reply') return 'it is an automatic reply';
  return envelopeSender === '' ? 'it is a report of a mail system, sent by nobody' : undefined;
}
