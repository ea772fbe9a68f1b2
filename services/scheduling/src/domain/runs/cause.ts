import type { Page } from '@tocsin/contracts';

/** The branch and rule that reach a user; the page's id is made of its parts. */
export interface Cause {
  readonly branchId: string;
  /** The rule's index, or `-` where the responder is paged without a rule. */
  readonly rule: string;
  /** How often the rule's branch has repeated. */
  readonly round: number;
  readonly wantedWhile: Page['wantedWhile'];
  /** Whether a snooze holds nothing back, because it was requested manually while the alert was snoozed. */
  readonly whileSnoozed?: boolean;
  /** The version of the alert that led here. */
  readonly openedBy: number;
  /** When it fell due. Delays of the user's rules, and of an escalation opened by it, count from here. */
  readonly dueAt: Date;
  readonly why: string;
}

/** The way from a responder to a user, as far as it was followed. */
export interface Step {
  readonly cause: Cause;
  readonly path: readonly string[];
  /** How many look-ups of somebody on the way have failed. */
  readonly attempt?: number;
}

/** The rule and the round: each round opens its own branches. */
export const ruleAndRound = ({ rule, round }: Cause): string => (round === 0 ? rule : `${rule}~${round}`);
