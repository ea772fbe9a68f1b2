import { abbreviated } from '@tocsin/rules';
import { answerableBy, type Answerable } from '../../answers/answer.ts';
import { contentOf } from '../../messages/message-content.ts';
import type { ContentSettings } from '../../messages/content.ts';
import { isBundle, type Outgoing } from '../../messages/bundle.ts';
import { oneLine } from '../../messages/safe-text.ts';
import { digestOf } from '../callbacks/links.ts';

/** The text of a call. */
export interface Call {
  /** A country code, a hyphen and a number (U3). */
  readonly to: string;
  readonly text: string;
  /** The subject of its keys; absent where the call asks for no action. */
  readonly about?: Answerable;
}

/** The sentence about the keys of a call (U20). */
export const CHOICE = 'Press 1 to acknowledge, 2 to close.';

/** A user who is woken does not listen for longer than half a minute. */
const LONGEST = 400;
/** Characters that a voice spells out or cannot say. */
const UNSPEAKABLE = /[^\p{L}\p{N}\p{M}\s.,:;!?%+'-]/gu;

/** Writes the text of a call: first the caller, then the subject. */
export function writeCall(outgoing: Outgoing, settings: ContentSettings): Call {
  const { spoken } = contentOf(outgoing, settings);
  const text = oneLine(`This is ${settings.accountName}. ${spoken}`.toWellFormed().replaceAll(UNSPEAKABLE, ' '));
  // No key says which of several alerts is meant.
  const about = isBundle(outgoing) ? undefined : answerableBy(outgoing, digestOf);
  return { to: outgoing.to, text: abbreviated(text, LONGEST), ...(about && { about }) };
}
