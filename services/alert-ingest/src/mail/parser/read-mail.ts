import { createHash } from 'node:crypto';
import type { Address, Email } from 'postal-mime';
import { originOf, type Mail, type MailAttachment, type MailSender } from '../mail.ts';
import { parsedMail } from './mail-parser.ts';
import { withMendedHeader } from './mended-header.ts';
import { beyondMimeBounds } from './mime-bounds.ts';
import { shownHtml } from './shown-html.ts';

/** The limits of the parts of a mail; lengths in UTF-16 units. */
const LIMITS = {
  subject: 2_000,
  text: 100_000,
  html: 300_000,
  sender: 1_000,
  answers: 50_000,
  name: 255,
  attachments: 50,
};
const ANY_TYPE = 'application/octet-stream';
// eslint-disable-next-line no-control-regex -- These are what is looked for.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
const MIME_TYPE = /^[a-z0-9][\w.+-]{0,99}\/[a-z0-9][\w.+-]{0,99}$/i;

/**
 * Decodes a mail. May take long for one that is made to hurt, and all the memory there is: `MailReader` reads within bounds.
 *
 * @throws Error when it is no mail that can be read.
 */
export async function readMail(raw: Uint8Array): Promise<Mail> {
  const email = await parsedMail(bounded(withMendedHeader(bounded(raw))));
  return {
    hasMessageId: (email.messageId ?? '').trim() !== '',
    digest: digestOf(email),
    answers: onOneLine(`${headerOf(email, 'in-reply-to')} ${headerOf(email, 'references')}`, LIMITS.answers),
    listNames: listNames(clean(headerOf(email, 'list-id'), LIMITS.name)),
    from: senderOf(email.from),
    subject: onOneLine(email.subject ?? '', LIMITS.subject),
    text: textOf(email),
    origin: originOf(email.headers),
    attachments: email.attachments.slice(0, LIMITS.attachments).map(attachmentOf),
    attachmentsLeftOut: Math.max(0, email.attachments.length - LIMITS.attachments),
  };
}

/** @throws Error when the mail is not in the bounds of what is parsed. */
function bounded(mail: Uint8Array): Uint8Array {
  const tooMuch = beyondMimeBounds(mail);
  if (tooMuch !== undefined) throw new Error(`The mail ${tooMuch}.`);
  return mail;
}

function headerOf({ headers }: Email, wanted: string): string {
  return headers.find(({ key }) => key === wanted)?.value ?? '';
}

/** The names of the list: the phrase of its id, the id, and the first part of the id. */
function listNames(listId: string): readonly string[] {
  const [phrase = '', id = ''] = listId.split(/[<>]/).map((part) => part.trim());
  return [phrase.replaceAll('"', '').trim(), id, id.split('.')[0] ?? ''].filter((name) => name !== '');
}

function digestOf(email: Email): string {
  const hash = createHash('sha256');
  const { messageId = '', from, subject = '', text = '', html = '', attachments } = email;
  hash.update(JSON.stringify([messageId, headerOf(email, 'date'), from?.address ?? '', subject, text, html]));
  for (const { content } of attachments) hash.update(bytesOf(content));
  return hash.digest('hex');
}

function senderOf(from: Address | undefined): MailSender {
  return {
    address: onOneLine(from?.address ?? '', LIMITS.sender).toLowerCase(),
    name: onOneLine(from?.name ?? '', LIMITS.sender),
  };
}

/** The plain text; what the HTML shows where there is none. */
function textOf({ text = '', html = '' }: Email): string {
  const plain = text.trim() === '' && html !== '' ? shownBy(html.slice(0, LIMITS.html)) : text;
  return clean(plain, LIMITS.text).replaceAll('\r\n', '\n').trim();
}

const shownBy = shownHtml(LIMITS.html);

function attachmentOf({ filename, mimeType, content }: Email['attachments'][number]): MailAttachment {
  return {
    name: onOneLine(filename ?? '', LIMITS.name),
    type: MIME_TYPE.test(mimeType) ? mimeType.toLowerCase() : ANY_TYPE,
    bytes: bytesOf(content),
  };
}

const bytesOf = (content: Email['attachments'][number]['content']): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);

const onOneLine = (text: string, max: number): string => clean(text, max).replaceAll(/\s+/g, ' ').trim();

/** Without what no text has: control characters and halves of characters. */
function clean(text: string, max: number): string {
  return text.slice(0, max).toWellFormed().replaceAll(CONTROL, '');
}
