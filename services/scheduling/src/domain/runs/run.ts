import type { AlertState, EscalationRepeat, NotifyType, Page, Version } from '@tocsin/contracts';
import type { EscalationRule } from '../escalation.ts';
import type { Mention } from '../mentions.ts';
import { MINUTE_MS } from '../on-call/span.ts';
import type { NoteMinute } from './note-minutes.ts';

/**
 * An escalation that was opened for an alert, with the rules it had at that moment: a running flow keeps them (S9). `id` is the
 * path that led here, so that one escalation reached in two ways is two branches.
 */
export interface Branch {
  readonly id: string;
  readonly escalationId: string;
  readonly escalationName: string;
  /** Nothing of it is due: the alert was stopped since it was opened, or just then. An escalate still fires its next rule (A9). */
  readonly isStopped: boolean;
  /** The version of the escalation when it was opened. */
  readonly version: Version;
  /** The (re)start, from which the delays of its rules count. */
  readonly startedAt: Date;
  readonly rules: readonly EscalationRule[];
  readonly repeat: EscalationRepeat | undefined;
  /** How often it has repeated. */
  readonly round: number;
  /** The order that ends its round, once given. Nothing of the branch is due until it is carried out. */
  readonly awaits: string | undefined;
  /** What was opened on the way to it, as `type:id`; none of that is opened again (S4). */
  readonly path: readonly string[];
}

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
  /** Whether what led here is stopped: then a branch that is opened by it is stopped too. */
  readonly isStopped: boolean;
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

/** A user or team that has to be looked up again: what led there, and how many look-ups failed. The user is whose duty it is. */
export interface LookUp {
  readonly id: string;
  readonly target: Mention & { readonly type: 'user' | 'team' };
  /** Which members of the team the rule notifies. */
  readonly choice: NotifyType;
  readonly step: Step;
  readonly attempt: number;
  readonly dueAt: Date;
  /** When the settlement was that led there first: whoever was paged since is not paged by this look-up too. */
  readonly since: Date;
  /** How the alert was at the manual request that led there (A9). */
  readonly requestedWhile?: Pick<AlertState, 'acknowledged' | 'snoozed'> | undefined;
}

/** The state of the escalations of one alert. */
export interface Run {
  readonly alertId: string;
  /** The version of the last event. One that is not later is a repeat. */
  readonly alertVersion: number;
  /** As of that event. Everything below belongs to its cycle. */
  readonly alert: AlertState;
  /** Whether the responders with which the cycle began are opened: not where the alert was held or suppressed then. */
  readonly begun: boolean;
  /** When the command that started the cycle was accepted; latency counts from here. */
  readonly acceptedAt: string;
  /** The trace of what paged last, where it is sampled. What the run does at once is a part of it; what it does later links to it. */
  readonly trace?: string | undefined;
  readonly branches: readonly Branch[];
  /** The rules that have fired or were skipped, as `ruleKey` names them. */
  readonly fired: readonly string[];
  /** Of these, those that an acknowledgement kept from paging at their time: an escalate still fires them (A9). */
  readonly skipped: readonly string[];
  /** The look-ups that are tried again. */
  readonly lookUps: readonly LookUp[];
  /** Who was paged while look-ups waited, and when last. */
  readonly pagedMeanwhile: readonly (Pick<Page, 'userId' | 'wantedWhile'> & { readonly at: Date })[];
  /** How many orders it has given; the id of each contains its number. */
  readonly orders: number;
  /** The users paged so far, in any cycle. */
  readonly reached: readonly string[];
  /** How many notes people were told of, by the minute in which they were accepted. */
  readonly noteMinutes: readonly NoteMinute[];
  /** Whether the cycle was logged as exhausted. */
  readonly isExhausted: boolean;
  /** When it is to be logged as exhausted, if it still is by then. */
  readonly exhaustedDueAt?: Date | undefined;
}

/** Identifies a rule in the present round of a branch within its run. */
export const ruleKey = ({ id, round }: Branch, ruleIndex: number): string =>
  round === 0 ? `${id}#${ruleIndex}` : `${id}#${ruleIndex}~${round}`;

/** The rule and the round: each round opens its own branches. */
export const ruleAndRound = ({ rule, round }: Cause): string => (round === 0 ? rule : `${rule}~${round}`);

/** Whether a former round of one of `branches` has opened the branch `id`. It ends with that round. */
export const isOfFormerRound = (branches: readonly Branch[], id: string): boolean =>
  branches.some(
    (branch) =>
      branch.round > 0 &&
      id.startsWith(`${branch.id}/`) &&
      !id
        .slice(branch.id.length + 1)
        .split(/[/>]/, 1)[0]
        ?.endsWith(`~${branch.round}`),
  );

/** When a rule of a branch falls due in its present round. */
export const dueAt = ({ startedAt }: Branch, { delayMinutes }: EscalationRule): Date =>
  new Date(startedAt.getTime() + delayMinutes * MINUTE_MS);

/** When the round of a branch ends, after the wait behind its last rule; undefined when nothing follows it (S9). */
export function endOfRound({ startedAt, rules, repeat, round }: Branch): Date | undefined {
  if (repeat === undefined || (round >= repeat.count && !repeat.closeAlertAfterAll)) return undefined;
  const longest = rules.reduce((most, { delayMinutes }) => Math.max(most, delayMinutes), 0);
  return new Date(startedAt.getTime() + (longest + repeat.waitMinutes) * MINUTE_MS);
}

/** Whether a look-up is tried again: not where its flow is stopped, unless a caller asked for it since. */
export const mayLookUp = ({ requestedWhile, step }: Pick<LookUp, 'requestedWhile' | 'step'>): boolean =>
  !step.cause.isStopped || requestedWhile !== undefined;

/** Whether the flow of an alert goes on. */
export const goesOn = ({ snoozed, status, verdict }: AlertState): boolean =>
  status === 'open' && verdict.kind === 'go' && !snoozed;

/** Why a due rule does not fire; undefined when it does (S9: conditions are checked when due). */
export function refusal(run: Run, condition: EscalationRule['condition']): string | undefined {
  if (run.alert.status !== 'open') return 'the alert is closed';
  if (condition === 'if-not-acked' && run.alert.acknowledged) return 'the alert is acknowledged';
  return undefined;
}

/** What `decide` changes for each of `items`, in order: each sees the run of its alert as those before it left it. */
export function changesOf<T, C extends { readonly run: Run | undefined }>(
  items: readonly T[],
  runs: ReadonlyMap<string, Run>,
  alertIdOf: (item: T) => string,
  decide: (run: Run | undefined, item: T) => C | undefined,
): readonly C[] {
  const latest = new Map(runs);
  return items.flatMap((item) => {
    const change = decide(latest.get(alertIdOf(item)), item);
    if (change?.run !== undefined) latest.set(change.run.alertId, change.run);
    return change ?? [];
  });
}
