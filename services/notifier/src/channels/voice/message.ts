import { abbreviated } from '@tocsin/rules';
import { contentOf } from '../../domain/content-of.ts';
import type { Sender } from '../../domain/content.ts';
import type { Delivery } from '../../domain/delivery.ts';
import { oneLine } from '../../domain/one-line.ts';

/** What somebody hears who takes a call. */
export interface Call {
  /** A country code, a hyphen and a number (U3). */
  readonly to: string;
  readonly text: string;
}

/** Nobody listens for longer than half a minute in the night. */
const LONGEST = 400;
/** Characters that a voice spells out or stumbles over. */
const UNSPEAKABLE = /[^\p{L}\p{N}\p{M}\s.,:;!?%+'-]/gu;

/** Writes what a call says: who calls first, then what it is about. */
export function writeCall(delivery: Delivery, sender: Sender): Call {
  const { spoken } = contentOf(delivery, sender);
  const text = oneLine(`This is ${sender.accountName}. ${spoken}`.toWellFormed().replaceAll(UNSPEAKABLE, ' '));
  return { to: delivery.to, text: abbreviated(text, LONGEST) };
}
