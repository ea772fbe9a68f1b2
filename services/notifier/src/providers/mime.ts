import MimeNode from 'nodemailer/lib/mime-node';
import { encode, wrap } from 'nodemailer/lib/qp';
import type { Mail } from '../domain/mail.ts';

/** A mail as SMTP carries it. */
export interface MimeMail {
  readonly envelope: { readonly from: string; readonly to: string[] };
  readonly bytes: Buffer;
}

/** Writes a mail of plain text. Its text is quoted-printable, so that no server on the way changes a line of it. */
export function toMime(mail: Mail, from: string): MimeMail {
  const node = new MimeNode('text/plain; charset=utf-8');
  node.setHeader({
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    'message-id': mail.messageId,
    ...mail.headers,
    'content-transfer-encoding': 'quoted-printable',
  });
  const text = wrap(encode(mail.text.replaceAll(/\r?\n/g, '\r\n')));
  const { from: sender, to } = node.getEnvelope();
  return {
    envelope: { from: sender === false ? '' : sender, to },
    bytes: Buffer.from(`${node.buildHeaders()}\r\n\r\n${text}`),
  };
}
