import type { AlertAct } from './alert-act.ts';

/**
 * What came of an answer to a message. `taken`: the change is ordered; `repeated`: an earlier answer to the same page has ordered it.
 * `acknowledged`, `closed`, `deleted`: the alert is so already. `expired`: the code in the message is too old. `nobody`: its user is
 * blocked or gone; `unused`: its number is not one of its user's any more, or is not in use.
 */
export type AnswerOutcome = 'taken' | PointlessAnswer | 'expired' | 'nobody' | 'unused';

/** Why an answer changes nothing. */
export type PointlessAnswer = 'repeated' | 'acknowledged' | 'closed' | 'deleted';

const ORDER = { acknowledge: 'acknowledgement', close: 'order to close it' } as const;
const DONE = { acknowledge: 'acknowledged', close: 'closed' } as const;

/** What its user is told of an answer, in one sentence. `alert` names the alert, as the method says it. */
export const toldOfAnswer = (alert: string, action: AlertAct['action'], outcome: AnswerOutcome): string =>
  `${alert}: ${sentence(action, outcome)}`;

function sentence(action: AlertAct['action'], outcome: AnswerOutcome): string {
  switch (outcome) {
    case 'taken':
      return `your ${ORDER[action]} is taken.`;
    case 'repeated':
      return `you have ${DONE[action]} it already.`;
    case 'acknowledged':
      return 'it is acknowledged already.';
    case 'closed':
      return action === 'close' ? 'it is closed already.' : 'nothing was changed, it is closed.';
    case 'deleted':
      return 'nothing was changed, it was deleted.';
    case 'expired':
      return 'nothing was changed, the code has expired.';
    case 'nobody':
      return 'nothing was changed, your user is blocked or gone.';
    case 'unused':
      return 'nothing was changed, this number is not in use any more.';
  }
}
