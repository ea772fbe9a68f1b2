import { abbreviated } from '@tocsin/rules';
import { answerableBy, type Answerable } from '../../domain/answerable.ts';
import { contentOf } from '../../domain/content-of.ts';
import type { Sender } from '../../domain/content.ts';
import { isBundle, type Outgoing } from '../../domain/bundle.ts';
import { oneLine } from '../../domain/one-line.ts';
import { digestOf } from '../acknowledge-url.ts';

/** What somebody hears who takes a call. */
export interface Call {
  /** A country code, a hyphen and a number (U3). */
  readonly to: string;
  readonly text: string;
  /** What its keys can answer; absent of a call that calls nobody to an alert. */
  readonly about?: Answerable;
}

/** What the keys of a call do (U9). */
export const CHOICE = 'Press 1 to acknowledge, 2 to close.';

/** Nobody listens for longer than half a minute in the night. */
const LONGEST = 400;
/** Characters that a voice spells out or stumbles over. */
const UNSPEAKABLE = /[^\p{L}\p{N}\p{M}\s.,:;!?%+'-]/gu;

/** Writes what a call says: who calls first, then what it is about. */
export function writeCall(outgoing: Outgoing, sender: Sender): Call {
  const { spoken } = contentOf(outgoing, sender);
  const text = oneLine(`This is ${sender.accountName}. ${spoken}`.toWellFormed().replaceAll(UNSPEAKABLE, ' '));
  // No key says which of several alerts is meant.
  const about = isBundle(outgoing) ? undefined : answerableBy(outgoing, digestOf);
  return { to: outgoing.to, text: abbreviated(text, LONGEST), ...(about && { about }) };
}
