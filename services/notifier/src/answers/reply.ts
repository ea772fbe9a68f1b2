import type { Answerable, AnswerAction } from './answer.ts';

/** The page that a code in a text message stands for (U21), with no content of the alert (A6). */
export interface ReplyCode extends Answerable {
  /** The tiny id of the alert and five letters: of two alerts they are never the same. */
  readonly code: string;
  /** Exclusive. */
  readonly expiresAt: Date;
}

/** The change that a reply requests. */
export interface Reply {
  readonly action: AnswerAction;
  readonly code: string;
}

/** How much of a reply is read, in UTF-16 units. The word and the code come first. */
const MAX_READ = 200;

/** The words of users for a change of an alert, in replies and in commands. */
export const ACTION_WORDS: Readonly<Record<string, AnswerAction>> = {
  ack: 'acknowledge',
  acknowledge: 'acknowledge',
  close: 'close',
};
/** Words may be set apart by anything but letters and digits, and the tiny id from its letters by spaces. */
const ASKED = /^[^a-z\d]*(ack|acknowledge|close)[^a-z\d]+(\d{1,15}) *([a-z]{5})(?![a-z\d])/;

/** The change that a text requests; undefined where it requests none. Case, spaces and marks such as `#` do not matter. */
export function readReply(text: string): Reply | undefined {
  const [, word = '', tinyId = '', letters = ''] = ASKED.exec(text.slice(0, MAX_READ).toLowerCase()) ?? [];
  const action = ACTION_WORDS[word];
  return action === undefined ? undefined : { action, code: `${tinyId}${letters}` };
}

/** The end of a text message to which the user may reply. */
export const replyHint = (code: string): string => ` Reply ack ${code} or close ${code}`;

/** The end of a list of alerts, each of which has its code. */
export const REPLIES_HINT = '. Reply ack or close and a code';

/** The answer to a reply that cannot be read. */
export const HOW_TO_REPLY = 'Nothing was changed. Reply ack or close and the code at the end of the message.';
