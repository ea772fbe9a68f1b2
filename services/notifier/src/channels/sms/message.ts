import { contentOf } from '../../domain/content-of.ts';
import type { Sender } from '../../domain/content.ts';
import type { Delivery } from '../../domain/delivery.ts';
import { oneLine } from '../../domain/one-line.ts';
import { fitted } from './segments.ts';

/** What a phone gets as a text message. */
export interface TextMessage {
  /** A country code, a hyphen and a number (U3). */
  readonly to: string;
  readonly text: string;
}

/** Writes the text message of a delivery: one line, what matters most first, in at most four parts. */
export const writeText = (delivery: Delivery, sender: Sender): TextMessage => ({
  to: delivery.to,
  text: fitted(oneLine(contentOf(delivery, sender).short)),
});
