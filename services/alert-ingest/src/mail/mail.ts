/** A mail that came in, decoded: no text of it is longer than its reader allows. */
export interface Mail {
  readonly hasMessageId: boolean;
  /** SHA-256, in hexadecimal digits, of id, date, sender, subject, text and files: the same for each delivery of the mail. */
  readonly digest: string;
  /** The unparsed values of `In-Reply-To` and `References`. */
  readonly answers: string;
  /** The names of the mailing list that sent the mail (RFC 2919). */
  readonly listNames: readonly string[];
  readonly from: MailSender;
  /** On one line. */
  readonly subject: string;
  /** Its text; of a mail in HTML alone, what a reader of it sees. */
  readonly text: string;
  /** The origin that its header names. */
  readonly origin: MailOrigin;
  /** Inline images among them. */
  readonly attachments: readonly MailAttachment[];
  /** How many more there were. */
  readonly attachmentsLeftOut: number;
}

/** Empty strings where the mail has none. */
export interface MailSender {
  readonly address: string;
  readonly name: string;
}

/** A file of a mail. */
export interface MailAttachment {
  /** On one line; empty where the mail has none. */
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** `reply`: a machine answers a mail; `own-notice`: Tocsin notifies a user; `bounce`: a mail system reports a delivery. */
export type MailOrigin = 'sender' | 'reply' | 'own-notice' | 'bounce';

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
  if (headers.some(saysReply)) return 'reply';
  return headers.some(saysBounce) ? 'bounce' : 'sender';
}

function saysBounce({ key, value }: Header): boolean {
  switch (key) {
    case 'content-type':
      return /^\s*multipart\/report\b/i.test(value);
    case 'from':
      return /\b(?:mailer-daemon|postmaster)@|^\s*mailer-daemon\b/i.test(value);
    case 'x-failed-recipients':
      return true;
    default:
      return false;
  }
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
