import type { Page } from '@tocsin/contracts';
import type { PageDelivery } from './delivery.ts';

/**
 * What a message says, before a channel gives it its form. Every value of somebody else's making stands where its channel can
 * tell it from our own words: a writer shows `quote`, `details` and `facts` so that none passes for a line of ours.
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
  /** The alert that it tells of: all that is told of one alert is one conversation. */
  readonly alertId?: string;
  /** Where its reader can acknowledge the alert; `blocks` has it too. */
  readonly acknowledgeUrl?: string;
  /** Where it tells of several alerts: each of them, the most urgent first (U8). A channel cuts their texts, and leaves none out. */
  readonly alerts?: readonly BundledAlert[];
}

/** One alert of several. */
export interface BundledAlert {
  /** Its priority and number, in words of ours. */
  readonly name: string;
  readonly text: string;
  readonly acknowledgeUrl?: string;
}

/** A name of ours, and its value. */
export type Row = readonly [name: string, value: string];

/** A part of a message. */
export type Block =
  | { readonly kind: 'title' | 'code'; readonly text: string }
  /** Sentences of ours, one in each line. */
  | { readonly kind: 'text'; readonly lines: readonly string[] }
  /** What somebody else wrote, in their own lines. */
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'facts'; readonly rows: readonly Row[] }
  /** Names and values of somebody else's making. */
  | { readonly kind: 'details'; readonly rows: readonly Row[] }
  /** What may be done at an address of ours. */
  | { readonly kind: 'link'; readonly text: string; readonly url: string };

/** Who sends. */
export interface Sender {
  readonly accountName: string;
  /** Where people reach the installation; unset: no message has a link. */
  readonly publicUrl: string | undefined;
  /** Where the reader of a message can acknowledge its alert (U9); absent without {@link publicUrl}. Pure. */
  readonly acknowledgeUrl?: (delivery: PageDelivery) => string;
}
