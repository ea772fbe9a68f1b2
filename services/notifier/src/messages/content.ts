import type { Page } from '@tocsin/events';
import type { PageDelivery } from './delivery.ts';
import { oneLine, quoted } from './safe-text.ts';

/**
 * The content of a message, before a channel formats it. `quote`, `details` and `facts` contain texts of callers; a channel shows
 * them so that no text passes for a line of Tocsin.
 */
export interface Content {
  /** One line for subjects and titles. It has nothing secret: servers write subjects into their logs. */
  readonly title: string;
  /** One line with all of the content, the most important first: its end may be cut. */
  readonly short: string;
  /** The text of a call. */
  readonly spoken: string;
  /** The whole content, for channels without a short limit. */
  readonly blocks: readonly Block[];
  /** The priority; absent where the message is about no alert. */
  readonly priority?: Page['alert']['priority'];
  /** The alert that it is about: all messages about one alert are one conversation. */
  readonly alertId?: string;
  /** The link by which the user acknowledges the alert; `blocks` has it too. */
  readonly acknowledgeUrl?: string;
  /**
   * The alerts of a bundle, the most urgent first (U8). A channel may cut their texts, and leaves no alert out.
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
  /** A text of a caller, in its own lines. */
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'facts'; readonly rows: readonly Row[] }
  /** Names and values of a caller. */
  | { readonly kind: 'details'; readonly rows: readonly Row[] }
  /** A link to Tocsin, and its purpose. */
  | { readonly kind: 'link'; readonly text: string; readonly url: string };

/** What the content of every message needs of the installation. */
export interface ContentSettings {
  readonly accountName: string;
  /** The public URL of the installation; unset: no message has a link. */
  readonly publicUrl: string | undefined;
  /** The link by which the user acknowledges the alert of a message (U9); absent without {@link publicUrl}. Pure. */
  readonly acknowledgeUrl?: (delivery: PageDelivery) => string;
  /** Decrypts the code of a notice. It throws where the code was encrypted with other keys. */
  readonly openCode?: (noticeId: string, sealed: string) => string;
}

/** The lines of a block as plain text. Texts of callers follow a name of Tocsin on the same line, or a mark. */
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
