import type { Page } from '@tocsin/events';
import type { PageDelivery } from './delivery.ts';
import { oneLine, quoted } from './safe-text.ts';

/**
 * What a message says, before a channel gives it its form. A channel shows `quote`, `details` and `facts`, which hold what
 * others wrote, so that none passes for a line of Tocsin.
 */
export interface Content {
  /** One line for subjects and titles. It has nothing secret: servers write subjects into their logs. */
  readonly title: string;
  /** One line that says all of it, the most important first: it may be cut at its end. */
  readonly short: string;
  /** What a voice says. */
  readonly spoken: string;
  /** The whole, for channels with room. */
  readonly blocks: readonly Block[];
  /** How urgent it is; absent of what is about no alert. */
  readonly priority?: Page['alert']['priority'];
  /** The alert that it is about: all messages about one alert are one conversation. */
  readonly alertId?: string;
  /** Where its reader can acknowledge the alert; `blocks` has it too. */
  readonly acknowledgeUrl?: string;
  /**
   * Where it is about several alerts: each of them, the most urgent first (U8). A channel cuts their texts, and leaves none
   * out.
   */
  readonly alerts?: readonly BundledAlert[];
}

/** One alert of several. */
export interface BundledAlert {
  /** Its priority and number. */
  readonly name: string;
  readonly text: string;
  readonly acknowledgeUrl?: string;
}

/** A name that Tocsin gives, and its value. */
export type Row = readonly [name: string, value: string];

/** A part of a message. */
export type Block =
  | { readonly kind: 'title' | 'code'; readonly text: string }
  /** Sentences of Tocsin, one in each line. */
  | { readonly kind: 'text'; readonly lines: readonly string[] }
  /** What a caller wrote, in its own lines. */
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'facts'; readonly rows: readonly Row[] }
  /** Names and values that a caller wrote. */
  | { readonly kind: 'details'; readonly rows: readonly Row[] }
  /** What may be done at a URL of Tocsin. */
  | { readonly kind: 'link'; readonly text: string; readonly url: string };

/** Who sends. */
export interface Sender {
  readonly accountName: string;
  /** Where people reach the installation; unset: no message has a link. */
  readonly publicUrl: string | undefined;
  /** Where the reader of a message can acknowledge its alert (U9); absent without {@link publicUrl}. Pure. */
  readonly acknowledgeUrl?: (delivery: PageDelivery) => string;
}

/** The lines of a block as plain text. What others wrote stands behind a name that Tocsin gives, in one line, or behind a mark. */
export function linesOf(block: Block): readonly string[] {
  switch (block.kind) {
    case 'title':
    case 'code':
      return [oneLine(block.text)];
    case 'text':
      return block.lines.map(oneLine);
    case 'quote':
      return quoted(block.text);
    case 'facts':
      return block.rows.map(([name, value]) => oneLine(`${name}: ${value}`));
    case 'link':
      return [oneLine(`${block.text}: ${block.url}`)];
    case 'details':
      return block.rows.flatMap(([name, value]) => quoted(`${name}: ${value}`));
  }
}
