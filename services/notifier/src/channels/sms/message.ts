import { linkExpiresAt } from '../../answers/acknowledge-link.ts';
import { answerableBy } from '../../answers/answer.ts';
import { isBundle, type Bundle, type Outgoing } from '../../messages/bundle.ts';
import { contentOf } from '../../messages/message-content.ts';
import type { BundledAlert, ContentSettings } from '../../messages/content.ts';
import { isPage, type Delivery } from '../../messages/delivery.ts';
import { listedText, oneLine } from '../../messages/safe-text.ts';
import { replyHint, REPLIES_HINT, type ReplyCode } from '../../answers/reply.ts';
import { digestOf } from '../callbacks/links.ts';
import { fits, fitted } from './segments.ts';

/** A text message. */
export interface TextMessage {
  /** A country code, a hyphen and a number (U3). */
  readonly to: string;
  readonly text: string;
  /**
   * The message for a provider that takes replies; absent where the message asks for no action, or no provider takes replies.
   */
  readonly answerable?: AnswerableText;
}

interface AnswerableText {
  /** The text, with the replies that the user may send. */
  readonly text: string;
  /** One for each alert that asks the user for an action. */
  readonly codes: readonly ReplyCode[];
}

/** What the content of text messages needs. */
export interface TextSettings extends ContentSettings {
  /** Five letters for the digest of a page's id; absent where no provider takes replies. Pure. */
  readonly lettersOf?: ((page: string) => string) | undefined;
}

/** How many characters of each alert a list of several has: the first of these that fits. */
const LENGTHS = [60, 40, 25, 12, 5];

/** Writes a text message: one line, the most important first, in at most four parts. */
export function writeText(outgoing: Outgoing, settings: TextSettings): TextMessage {
  const { alerts = [], short } = contentOf(outgoing, settings);
  if (isBundle(outgoing)) return writeList(outgoing, alerts, settings);
  const said = oneLine(short);
  const code = codeOf(outgoing, settings);
  return {
    to: outgoing.to,
    text: fitted(said),
    ...(code && { answerable: { text: fitted(said, replyHint(code.code)), codes: [code] } }),
  };
}

/** Several alerts in one text, each under its code where it may be answered. */
function writeList({ pages, to }: Bundle, alerts: readonly BundledAlert[], settings: TextSettings): TextMessage {
  const codes = pages.map((delivery) => codeOf(delivery, settings));
  const given = codes.flatMap((code) => code ?? []);
  const text = listOf(alerts);
  if (given.length === 0) return { to, text };
  const coded = alerts.map((alert, index) => {
    const { code = '', tinyId = '' } = codes[index] ?? {};
    return { ...alert, name: `${alert.name}${code.slice(tinyId.length)}` };
  });
  return { to, text, answerable: { text: listOf(coded, REPLIES_HINT), codes: given } };
}

/** The same for every try of one page: it works for as long as the link of a mail would. */
function codeOf(delivery: Delivery, { lettersOf }: TextSettings): ReplyCode | undefined {
  const about = answerableBy(delivery, digestOf);
  if (about === undefined || lettersOf === undefined || !isPage(delivery)) return undefined;
  return { ...about, code: `${about.tinyId}${lettersOf(about.page)}`, expiresAt: linkExpiresAt(delivery) };
}

/** No alert is left out: where not even five characters of each fit, the list has only their names. */
function listOf(alerts: readonly BundledAlert[], ending = ''): string {
  const lists = LENGTHS.map((length) =>
    alerts.map(({ name, text }) => `${name} ${beginning(listedText(text), length)}`),
  );
  const names = alerts.map(({ name }) => name);
  const texts = [...lists, names].map((list) => `${alerts.length} alerts: ${list.join('; ')}${ending}`);
  return texts.find(fits) ?? fitted(names.join(' '), ending);
}

/** Ends in dots of the alphabet of text messages where something is left out. */
function beginning(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length <= length ? text : `${characters.slice(0, length - 2).join('')}..`;
}
