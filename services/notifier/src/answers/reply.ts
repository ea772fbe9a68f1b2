import type { AlertAct, Answerable } from './answer.ts';

/** What a code in a text message stands for (U21). It has no content of the alert (A6). */
export interface ReplyCode extends Answerable {
  /** The tiny id of the alert and five letters: of two alerts they are never the same. */
  readonly code: string;
  /** Exclusive. */
  readonly expiresAt: Date;
}

/** What a reply asks for. */
export interface Reply {
  readonly action: AlertAct['action'];
  readonly code: string;
}

/** What is read of a reply, in UTF-16 units; what is asked for stands at its beginning. */
const MAX_READ = 200;

const ACTIONS: Readonly<Record<string, AlertAct['action']>> = {
  ack: 'acknowledge',
  acknowledge: 'acknowledge',
  close: 'close',
};
/** Words may be set apart by anything but letters and digits, and the tiny id from its letters by spaces. */
const ASKED = /^[^a-z\d]*(ack|acknowledge|close)[^a-z\d]+(\d{1,15}) *([a-z]{5})(?![a-z\d])/;

/** What a text asks for; undefined of any other text. Case, spaces and marks such as `#` do not matter. */
export function readReply(text: string): Reply | undefined {
  const [, word = '', tinyId = '', letters = ''] = ASKED.exec(text.slice(0, MAX_READ).toLowerCase()) ?? [];
  const action = ACTIONS[word];
  return action === undefined ? undefined : { action, code: `${tinyId}${letters}` };
}

/** What stands behind a text message whose reader may reply. */
export const replyHint = (code: string): string => ` Reply ack ${code} or close ${code}`;

/** What stands behind a list of alerts, each under its code. */
export const REPLIES_HINT = '. Reply ack or close and a code';

/** The answer to a reply that cannot be read. */
export const HOW_TO_REPLY = 'Nothing was changed. Reply ack or close and the code at the end of the message.';
