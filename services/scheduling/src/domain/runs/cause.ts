import type { Page } from '@tocsin/contracts';

/** By which branch and rule a user is reached; its parts make the page's id. */
export interface Cause {
  readonly branchId: string;
  /** The rule's index, or `-` where the responder is paged without a rule. */
  readonly rule: string;
  /** How often the rule's branch has started again. */
  readonly round: number;
  readonly wantedWhile: Page['wantedWhile'];
  /** A snooze holds nothing back: somebody asked for it while there was one. */
  readonly whileSnoozed?: boolean;
  /** The version of the alert that led here. */
  readonly openedBy: number;
  /** When it fell due; the user's delays, and those of an escalation opened by it, count from here. */
  readonly dueAt: Date;
  readonly why: string;
}

/** Where on the way from a responder to a person we are. */
export interface Step {
  readonly cause: Cause;
  readonly path: readonly string[];
  /** How often somebody on the way was looked up in vain. */
  readonly attempt?: number;
}

/** The rule and the round: what one opens is not taken for what it opened in another round. */
export const turnName = ({ rule, round }: Cause): string => (round === 0 ? rule : `${rule}~${round}`);
