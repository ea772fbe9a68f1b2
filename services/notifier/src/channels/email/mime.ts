import MimeNode from 'nodemailer/lib/mime-node';
import { encode, wrap } from 'nodemailer/lib/qp';
import type { Mail } from './message.ts';

/** A mail as SMTP carries it. */
export interface MimeMail {
  readonly envelope: { readonly from: string; readonly to: string[] };
  readonly bytes: Buffer;
}

/** Between the parts. No encoded line is like it, because an encoded `=` is followed by two digits. */
const BOUNDARY = '--=_alternative';

/**
 * Writes a mail of plain text and HTML that say the same. Both are quoted-printable, so that no server on the way changes a line
 * of them. The parts are put together here, without the composer of nodemailer and its streams.
 */
export function toMime(mail: Mail, from: string): MimeMail {
  const node = new MimeNode(`multipart/alternative; boundary="${BOUNDARY}"`);
  node.setHeader({
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    'message-id': mail.messageId,
    ...mail.headers,
  });
  const parts = [part('plain', mail.text), part('html', mail.html)];
  const { from: sender, to } = node.getEnvelope();
  return {
    envelope: { from: sender === false ? '' : sender, to },
    bytes: Buffer.from(`${node.buildHeaders()}\r\n\r\n${parts.join('')}--${BOUNDARY}--\r\n`),
  };
}

const part = (type: 'plain' | 'html', text: string): string =>
  `--${BOUNDARY}\r\nContent-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n` +
  `${wrap(encode(text.replaceAll(/\r?\n/g, '\r\n')))}\r\n`;
