import { escapedXml } from '../../messages/safe-text.ts';

/** Twilio takes 4000 characters of TwiML with a call; the text is in it twice. */
const MAX_TWIML = 4_000;
/** How long a key is awaited after the last word. */
const KEY_TIMEOUT_SECONDS = 8;
const PAUSE = '<Pause length="1"/>';

/** The sentence about the keys of a call, said after its text, and the URL at which Twilio reports the pressed key. */
export interface AskedKeys {
  readonly choice: string;
  readonly url: string;
}

/**
 * TwiML that says `text`, and says it again; with `keys` it takes one key meanwhile, and for a while afterwards. A text that is too
 * long is cut, never within a character. The sentence about the keys is always complete.
 */
export function spokenTwice(text: string, keys?: AskedKeys): string {
  const characters = Array.from(text.toWellFormed());
  let twiml = twimlOf(characters.join(''), keys);
  while (twiml.length > MAX_TWIML && characters.length > 0) {
    characters.length = Math.min(characters.length - 1, Math.floor((characters.length * MAX_TWIML) / twiml.length));
    twiml = twimlOf(characters.join(''), keys);
  }
  return twiml;
}

/** TwiML that says `text` once, and takes one more key where there is a URL at which to report it. The call ends after it. */
export const spokenOnce = (text: string, keys?: AskedKeys): string =>
  `<Response>${taking(say(withChoice(text, keys)), keys)}</Response>`;

function twimlOf(text: string, keys: AskedKeys | undefined): string {
  const said = say(withChoice(text, keys));
  return `<Response>${PAUSE}${taking(`${said}${PAUSE}${said}`, keys)}</Response>`;
}

const say = (text: string): string => `<Say>${escapedXml(text)}</Say>`;

const withChoice = (text: string, keys: AskedKeys | undefined): string =>
  keys === undefined ? text : `${text} ${keys.choice}`;

/** No key ends the input, so `#` and `*` are reported like other keys without a meaning. */
const taking = (said: string, keys: AskedKeys | undefined): string =>
  keys === undefined
    ? said
    : `<Gather numDigits="1" finishOnKey="" timeout="${KEY_TIMEOUT_SECONDS}" method="POST" action="${escapedXml(keys.url)}">${said}</Gather>`;
