import type { CreateAlert, ResponderReference, ResponderType } from '@tocsin/contracts';
import type { Resolution } from '../decided.ts';
import type { LogEntry } from '../history.ts';

/** What judging needs besides the configuration and the command. It is gathered before. */
export interface JudgementContext {
  /** What the references of the command stand for. */
  readonly resolve: (reference: ResponderReference) => Resolution;
  /** The present name of whom a policy adds, user name for users, where it is known without asking. */
  readonly nameOf: (type: ResponderType, id: string) => string | undefined;
  /** The ids of all users, for recipients of type `all`. */
  readonly everyone: () => readonly string[];
}

/** What maintenance windows and policies say of one create, before it is known whether it makes an alert or counts as a repeat. */
export interface Judgement {
  /** The create as it is settled: modified, or `dropped` by a window (P9). */
  readonly command: CreateAlert;
  /** What becomes of the notification flow of the alert, should the create make one. */
  readonly flow: FlowPlan;
  /** What the log of a new alert says: one entry for everything, made as it is read; undefined where there are no policies. */
  readonly entry: Pick<LogEntry, 'log' | 'type' | 'owner' | 'decision'> | undefined;
}

/**
 * What the policies of its creation want of an alert. It is kept on the alert: a policy that changes later changes nothing of it.
 * Each names its policy as the log does, such as `[Nights]`.
 */
export interface FlowPlan {
  /** Nobody is ever told; whole clause for the log, as `NewAlert.suppressed` is. */
  readonly suppressed: string | undefined;
  /** Undefined where the flow starts at once, and where it is suppressed. */
  readonly hold: HoldPlan | undefined;
  readonly autoClose: { readonly policy: string; readonly afterMs: number } | undefined;
  readonly autoRestart: { readonly policy: string; readonly everyMs: number; readonly times: number } | undefined;
}

/** The create for which a policy plans. */
export interface PlanContext {
  /** How the log calls the policy. */
  readonly label: string;
  /** When the create was accepted. */
  readonly at: Date;
  /** The account's. */
  readonly zone: string;
}

/** What holds a flow back (P6). */
export type HoldPlan =
  | { readonly kind: 'delay'; readonly policy: string; readonly until: Date }
  | {
      readonly kind: 'deduplication';
      readonly policy: string;
      readonly count: number;
      /** Occurrences count that were accepted within this of each other; undefined where all do. */
      readonly withinMs: number | undefined;
    };

/** The plan where there are no policies. */
export const AT_ONCE: FlowPlan = {
  suppressed: undefined,
  hold: undefined,
  autoClose: undefined,
  autoRestart: undefined,
};
