/** What a timer is for: the rule of that index, the end of a round, another look-up, or whether an exhausted flow was acknowledged. */
export type TimerKind = number | 'repeat' | 'look-up' | 'exhausted';

/** A timer of a run. It does nothing once its branch is in another round, or was opened again. */
export interface RuleTimer {
  readonly alertId: string;
  /** The branch; for `look-up`, the look-up. */
  readonly branchId: string;
  readonly ruleIndex: TimerKind;
  /** The round of the branch; for `look-up`, the attempt; for `exhausted`, the cycle. */
  readonly round: number;
  /** The alert version that opened the branch. */
  readonly openedBy: number;
  readonly dueAt: Date;
}

/** The part of a timer that tells whether it still counts. */
export type DueTimer = Omit<RuleTimer, 'alertId' | 'dueAt'>;

/** Names a timer among those of its alert, the same however often it is set: one for each rule, round and opening of a branch. */
export const timerKey = ({ branchId, openedBy, round, ruleIndex }: DueTimer): string =>
  `${openedBy}:${branchId}#${ruleIndex}${round === 0 ? '' : `~${round}`}`;

export const timerId = (timer: RuleTimer): string => `${timer.alertId}:${timerKey(timer)}`;
