import type { AlertAct } from './alert-act.ts';
import type { Answerable } from './answerable.ts';

/** What a code in a text message stands for (U9). It has no word of the alert (A6). */
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
const LONGEST = 200;

const ACTIONS: Readonly<Record<string, AlertAct['action']>> = {
  ack: 'acknowledge',
  acknowledge: 'acknowledge',
  close: 'close',
};
/** Words may be set apart by anything but letters and digits, and the tiny id from its letters by spaces. */
const ASKED = /^[^a-z\d]*(ack|acknowledge|close)[^a-z\d]+(\d{1,15}) *([a-z]{5})(?![a-z\d])/;

/** What a text asks for; undefined of any other text. Case, spaces and marks such as `#` do not matter. */
export function readReply(text: string): Reply | undefined {
  const [, word = '', tinyId = '', letters = ''] = ASKED.exec(text.slice(0, LONGEST).toLowerCase()) ?? [];
  const action = ACTIONS[word];
  return action === undefined ? undefined : { action, code: `${tinyId}${letters}` };
}

/** What stands behind a text message whose reader may reply. */
export const askingForReply = (code: string): string => ` Reply ack ${code} or close ${code}`;

/** What stands behind a list of alerts, each under its code. */
export const ASKING_FOR_REPLIES = '. Reply ack or close and a code';

/** What somebody is told whose reply nobody understands. */
export const HOW_TO_REPLY = 'Nothing was changed. Reply ack or close and the code at the end of the message.';
