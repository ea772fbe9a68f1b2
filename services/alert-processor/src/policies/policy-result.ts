import type { CreateAlert, ResponderReference, ResponderType } from '@tocsin/events';
import type { Resolution } from '../alerts/decided.ts';
import type { LogEntry } from '../alert-log/entry.ts';

/** The input of policies besides the configuration and the command, gathered beforehand. */
export interface PolicyContext {
  /** Resolves the references of the command. */
  readonly resolve: (reference: ResponderReference) => Resolution;
  /** The present name of a responder that a policy adds (a user's user name); undefined if only its owner knows it. */
  readonly nameOf: (type: ResponderType, id: string) => string | undefined;
  /** The ids of all users, for recipients of type `all`. */
  readonly everyone: () => readonly string[];
}

/** The result of windows and policies for one create, before it is known whether it makes an alert or counts as a repeat. */
export interface PolicyResult {
  /** The create as it is processed: modified, or `dropped` by a window (P9). */
  readonly command: CreateAlert;
  /** The plan for the alert's notification flow, if the create makes one. */
  readonly flow: FlowPlan;
  /** The log entry of a new alert, computed when read; undefined if there are no policies. */
  readonly entry: Pick<LogEntry, 'log' | 'type' | 'owner' | 'decision'> | undefined;
}

/**
 * The plan of the policies at the creation of an alert. The alert keeps the plan when the policies change. Each part names its policy
 * by its label in the log, such as `[Nights]`.
 */
export interface FlowPlan {
  /** Set if no user is ever notified: a whole clause for the log, like `NewAlert.suppressed`. */
  readonly suppressed: string | undefined;
  /** Undefined if the flow starts at once, or is suppressed. */
  readonly hold: HoldPlan | undefined;
  readonly autoClose: { readonly policy: string; readonly afterMs: number } | undefined;
  readonly autoRestart: { readonly policy: string; readonly everyMs: number; readonly times: number } | undefined;
}

/** The create for which a policy plans. */
export interface PlanContext {
  /** The policy's label in the log. */
  readonly label: string;
  /** When the create was accepted. */
  readonly at: Date;
  /** The account's time zone. */
  readonly zone: string;
}

/** How a policy holds the flow back (P6). */
export type HoldPlan =
  | { readonly kind: 'delay'; readonly policy: string; readonly until: Date }
  | {
      readonly kind: 'deduplication';
      readonly policy: string;
      readonly count: number;
      /** Only occurrences accepted within this time of each other count; undefined if all count. */
      readonly withinMs: number | undefined;
    };

/** The plan without policies: the flow starts at once. */
export const AT_ONCE: FlowPlan = {
  suppressed: undefined,
  hold: undefined,
  autoClose: undefined,
  autoRestart: undefined,
};
