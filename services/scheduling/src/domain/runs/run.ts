import type { AlertState, EscalationRepeat, NotifyType, Version } from '@tocsin/contracts';
import type { EscalationRule } from '../escalation.ts';
import type { Mention } from '../mentions.ts';
import type { Step } from './cause.ts';

/**
 * An escalation that was opened for an alert, with the rules it had at that moment: a running flow keeps them (S9).
 * `id` is the path that led here, so that one escalation reached in two ways is two branches.
 */
export interface Branch {
  readonly id: string;
  readonly escalationId: string;
  readonly escalationName: string;
  /** The version of the alert by which it was opened: a timer of another opening does nothing. */
  readonly openedBy: number;
  /** How many of its rules were fired by hand before word came that its escalation was added; 0 once that came. */
  readonly ahead: number;
  /** Of the escalation when it was opened. */
  readonly version: Version;
  /** The (re)start: from here the delays of its rules count. */
  readonly startedAt: Date;
  readonly rules: readonly EscalationRule[];
  readonly repeat: EscalationRepeat | undefined;
  /** How often it has started again. */
  readonly round: number;
  /** The order that ends its round, once it is given: until it is carried out, nothing of the branch is due. */
  readonly awaits: string | undefined;
  /** What was opened on the way, as `type:id`: none of it is opened again (S4). */
  readonly path: readonly string[];
}

/** A user or a team that could not be asked for, and is to be: what led there, and how often it was tried. */
export interface LookUp {
  readonly id: string;
  readonly target: Mention & { readonly type: 'user' | 'team' };
  /** Whom of the team the rule means. */
  readonly choice: NotifyType;
  readonly step: Step;
  readonly attempt: number;
}

/** What scheduling knows and has done about one alert. */
export interface Run {
  readonly alertId: string;
  /** The version of the alert's state seen last: an older state is not taken over, but its event is heeded. */
  readonly alertVersion: number;
  readonly alert: AlertState;
  /** The cycle to which everything below belongs; 0 before the first. */
  readonly cycle: number;
  /** Whether the responders with which the cycle began are opened: that happens once, by whichever of its events is first. */
  readonly begun: boolean;
  /** The last version that stopped the flow: what was opened by that or by an older one goes on no more. */
  readonly stoppedVersion: number;
  /** Acceptance of the command that started the cycle: what latency is measured from. */
  readonly acceptedAt: string;
  readonly branches: readonly Branch[];
  /** The rules that have had their turn, as `ruleKey` names them. */
  readonly fired: readonly string[];
  /** Who is to be looked up again. */
  readonly lookUps: readonly LookUp[];
  /** How many orders it has given; each has its number in its id. */
  readonly orders: number;
  /** The users paged so far, in any cycle: whom a later page reaches again. */
  readonly reached: readonly string[];
  /** The facts of this start that asked for something by hand and were heeded, the last of them: each is heeded once. */
  readonly asked: readonly string[];
}

/** Names the turn of a rule in the present round of a branch, within its run. */
export const ruleKey = ({ id, round }: Branch, ruleIndex: number): string =>
  round === 0 ? `${id}#${ruleIndex}` : `${id}#${ruleIndex}~${round}`;

const MINUTE_MS = 60_000;

/** When a rule of a branch falls due in its present round. */
export const dueAt = ({ startedAt }: Branch, { delayMinutes }: EscalationRule): Date =>
  new Date(startedAt.getTime() + delayMinutes * MINUTE_MS);

/** When the round of a branch is over: the wait after its last rule is due; undefined where nothing comes after it (S9). */
export function endOfRound({ startedAt, rules, repeat, round }: Branch): Date | undefined {
  if (repeat === undefined || (round >= repeat.count && !repeat.closeAlertAfterAll)) return undefined;
  const longest = rules.reduce((most, { delayMinutes }) => Math.max(most, delayMinutes), 0);
  return new Date(startedAt.getTime() + (longest + repeat.waitMinutes) * MINUTE_MS);
}

/** Whether the flow of a branch goes on: its timers fire, and what it waits for is heard. */
export const isLive = ({ stoppedVersion }: Run, { openedBy }: Pick<Branch, 'openedBy'>): boolean =>
  openedBy > stoppedVersion;

/** Why a rule whose time has come does not fire, or undefined when it does (S9: conditions are checked when due). */
export function refusal(run: Run, condition: EscalationRule['condition']): string | undefined {
  if (run.alert.status !== 'open') return 'the alert is closed';
  if (condition === 'if-not-acked' && run.alert.acknowledged) return 'the alert is acknowledged';
  return undefined;
}
