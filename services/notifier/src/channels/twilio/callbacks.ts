import { createHmac } from 'node:crypto';
import { isEqualInConstantTime } from '@tocsin/http';
import { escapedXml } from '../../messages/safe-text.ts';
import type { Receipt } from '../../receipts/receipt.ts';
import {
  type Callback,
  type CallbackMethod,
  type CallbackProvider,
  type FormFields,
  type ProviderKeys,
  type ProviderReplies,
  textIn,
  valueOf,
} from '../callback-provider.ts';
import { CHOICE } from '../voice/message.ts';
import { spokenOnce } from './twiml.ts';

/** Twilio's words for the end of a text message and of a call. All its other words mean that it is under way. */
const ENDS: Readonly<Record<string, Receipt['outcome']>> = {
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
  /** Of a call: a person or a machine has answered. */
  completed: 'delivered',
  busy: 'failed',
  'no-answer': 'failed',
};
const STATUS = { sms: 'MessageStatus', voice: 'CallStatus' } as const;

const TWIML = 'text/xml; charset=utf-8';

/** The form of a signature. The body of a call without one is not read. */
const SIGNATURE = /^[A-Za-z\d+/]{27}=$/;

/** Twilio reports replies at a URL of its own settings, which has no token of Tocsin. */
const REPLIES: ProviderReplies = {
  isAt: (token, signature = '') => token === undefined && SIGNATURE.test(signature),
  replyIn: (fields) => textIn(fields, 'From', 'Body'),
  answer: (text) => ({
    type: TWIML,
    content: text === undefined ? '<Response/>' : `<Response><Message>${escapedXml(text)}</Message></Response>`,
  }),
};

/** Callbacks of Twilio, each signed with the token of the account over its URL and its form. */
export class TwilioCallbacks implements CallbackProvider {
  readonly keys: ProviderKeys = {
    pressedIn: (fields) => valueOf(fields, 'Digits')?.trim() ?? '',
    answer: (text, askAt) => ({
      type: TWIML,
      content: spokenOnce(text, askAt === undefined ? undefined : { choice: CHOICE, url: askAt }),
    }),
  };
  readonly replies?: ProviderReplies;
  readonly #authToken: string;

  /**
   * @param authToken with which Twilio signs
   * @param takesReplies whether users may reply to text messages; Twilio calls one URL for all replies
   */
  constructor(authToken: string, takesReplies = false) {
    this.#authToken = authToken;
    if (takesReplies) this.replies = REPLIES;
  }

  /** Twilio signs the URL as it calls it, with the port or without: both are the same address. */
  isGenuine({ fields, signature = '', url }: Callback): boolean {
    const given = Buffer.from(signature, 'base64');
    if (!isUnambiguous(fields)) return false;
    const form = signedForm(fields);
    return writings(url).some((each) => {
      const made = createHmac('sha1', this.#authToken).update(each).update(form).digest();
      return isEqualInConstantTime(given, made);
    });
  }

  receiptOf(method: CallbackMethod, fields: FormFields): Pick<Receipt, 'outcome' | 'said'> | undefined {
    const status = valueOf(fields, STATUS[method])?.toLowerCase() ?? '';
    const outcome = Object.hasOwn(ENDS, status) ? ENDS[status] : undefined;
    if (outcome === undefined) return undefined;
    const code = valueOf(fields, 'ErrorCode')?.replaceAll(/\D/g, '').slice(0, 6) ?? '';
    return { outcome, said: `its receipt says ${status}${code === '' ? '' : ` (${code})`}` };
  }
}

/** The names of Twilio's fields. */
const FIELD = /^\w{1,100}$/;

/** The signed text has no separators between names and values, so an unknown name might be a part of another value. */
const isUnambiguous = (fields: FormFields): boolean => fields.every(([name]) => FIELD.test(name));

/** The signed text of a form, after the URL: each name with its value, sorted, and each pair once. */
const signedForm = (fields: FormFields): string =>
  fields
    .toSorted(([a, x], [b, y]) => compared(a, b) || compared(x, y))
    .filter(([name, value], index, all) => name !== all[index - 1]?.[0] || value !== all[index - 1]?.[1])
    .flat()
    .join('');

const compared = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The URL as it is written, and with the port of its scheme where it has none, or without. */
function writings(url: string): readonly string[] {
  const [, scheme = '', host = '', rest = ''] = /^(https?:\/\/)([^/?#]*)(.*)$/s.exec(url) ?? [];
  const port = scheme === 'https://' ? ':443' : ':80';
  if (host.endsWith(port)) return [url, `${scheme}${host.slice(0, -port.length)}${rest}`];
  return /:\d+$/.test(host) ? [url] : [url, `${scheme}${host}${port}${rest}`];
}
