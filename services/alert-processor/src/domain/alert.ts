import type {
  AlertContent,
  AlertState,
  FlowStart,
  IntegrationReference,
  Priority,
  Responder,
  ResponderReference,
  Verdict,
} from '@tocsin/contracts';
import type { Position } from './position.ts';

/** When and by whom; present once the alert was acknowledged or closed. Milliseconds count from the creation (A4, A6). */
export interface AlertReport {
  readonly ackTimeMs?: number;
  readonly acknowledgedBy?: string;
  readonly closeTimeMs?: number;
  readonly closedBy?: string;
}

/** References whose owner could not be asked, and how often that was tried. */
export interface UnresolvedResponders {
  readonly responders: readonly ResponderReference[];
  readonly visibleTo: readonly ResponderReference[];
  /** How often it was tried. */
  readonly attempt: number;
  /** When it is tried again. */
  readonly dueAt: Date;
}

/** What holds the flow of an alert back, as the policy said when the alert was made (P6). */
export type Hold = {
  /** As the log names it. */
  readonly policy: string;
  /** What it waited for has come while the alert was acknowledged: the flow starts with the unacknowledgement (P16). */
  readonly isOver: boolean;
} & (
  | { readonly kind: 'delay'; readonly until: Date }
  | {
      readonly kind: 'deduplication';
      /** The occurrence with which the flow starts. */
      readonly count: number;
      /** Occurrences count that were accepted within this of each other; absent where all do. */
      readonly withinMs?: number;
      /** When the last ones were accepted, in order, at most `count`; only where `withinMs` is. */
      readonly occurrences?: readonly Date[];
    }
);

/** How often the flow starts again by itself, and how often it has (P7). */
interface AutoRestart {
  /** As the log names it. */
  readonly policy: string;
  readonly everyMs: number;
  readonly times: number;
  readonly done: number;
  /** What the next one counts from: the last start of the flow. */
  readonly since: Date;
}

/** What an open alert waits for by itself: each is a timer `<kind>:<alert id>`. */
export type AlarmKind = 'snooze' | 'resolve' | 'hold' | 'auto-close' | 'restart';

export interface Alarm {
  readonly dueAt: Date;
  /** Tells it from earlier ones of its kind: the version of the alert that set it. */
  readonly fence: number;
}

export interface Alert {
  readonly id: string;
  /** Increases per installation, with gaps (A1). */
  readonly tinyId: number;
  readonly alias: string;
  readonly status: 'open' | 'closed';
  readonly acknowledged: boolean;
  readonly seen: boolean;
  readonly snoozed: boolean;
  /** When the flow starts again; only while it is snoozed. */
  readonly snoozedUntil: Date | undefined;
  readonly count: number;
  readonly message: string;
  readonly description: string;
  readonly source: string;
  readonly entity: string;
  readonly priority: Priority;
  /** User name or display name; empty when nobody owns it. */
  readonly owner: string;
  readonly tags: readonly string[];
  readonly actions: readonly string[];
  readonly details: Readonly<Record<string, string>>;
  readonly responders: readonly Responder[];
  readonly visibleTo: readonly Responder[];
  readonly unresolved: UnresolvedResponders | undefined;
  /** The team that owned the integration through which it came: the scope of its alias, the account's where undefined (A16). */
  readonly ownerTeamId: string | undefined;
  readonly integration: IntegrationReference;
  readonly report: AlertReport | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastOccurredAt: Date;
  readonly cycle: number;
  readonly verdict: Verdict;
  /** Only of an alert whose verdict is `held`, and always then. */
  readonly hold: Hold | undefined;
  readonly autoClose: { readonly policy: string; readonly dueAt: Date } | undefined;
  readonly autoRestart: AutoRestart | undefined;
  /** Follows from the rest (`alarms.ts`). */
  readonly alarms: Readonly<Partial<Record<AlarmKind, Alarm>>>;
  readonly flowStartedAt: Date;
  /** How the cycle began; absent where an earlier version began it. */
  readonly flow?: FlowStart;
  /** Grows with everything that happens to the alert; others are told of all but repeats. */
  readonly version: number;
  readonly lastPosition: Position | undefined;
}

/** Whether the notification flow goes on: it may page somebody who is not acknowledged for. */
export const flows = ({ acknowledged, snoozed, status, verdict }: Alert): boolean =>
  status === 'open' && verdict.kind === 'go' && !acknowledged && !snoozed;

/** When it was closed; undefined while it is open. */
export function closedAt({ createdAt, report }: Alert): Date | undefined {
  return report?.closeTimeMs === undefined ? undefined : new Date(createdAt.getTime() + report.closeTimeMs);
}

/** The teams whose keys may see the alert: its responders, `visibleTo` and the owner (K4, A10). Each once. */
export function teamsSeeing(alert: Alert): readonly string[] {
  const teams = [...alert.responders, ...alert.visibleTo].filter(({ type }) => type === 'team').map(({ id }) => id);
  return [...new Set(alert.ownerTeamId === undefined ? teams : [...teams, alert.ownerTeamId])];
}

/** Whether a key may see the alert; one without a team sees everything (K4). */
export function maySee(alert: Alert, teamId: string | undefined): boolean {
  return teamId === undefined || teamsSeeing(alert).includes(teamId);
}

/**
 * The open alert of an alias that a key means by it, of all that are open: that of its own scope, which is the key's team or
 * the account, else the newest one that it may see (A16).
 */
export function meantBy(teamId: string | undefined, open: readonly Alert[]): Alert | undefined {
  const own = open.find(({ ownerTeamId }) => ownerTeamId === teamId);
  return own ?? open.filter((alert) => maySee(alert, teamId)).toSorted(newestFirst)[0];
}

function newestFirst(one: Alert, other: Alert): number {
  return other.createdAt.getTime() - one.createdAt.getTime() || other.tinyId - one.tinyId;
}

/** What events and webhook commands carry alike of the alert. */
export function alertContent(alert: Alert): AlertContent {
  return {
    tinyId: String(alert.tinyId),
    alias: alert.alias,
    message: alert.message,
    description: alert.description,
    source: alert.source,
    entity: alert.entity,
    priority: alert.priority,
    owner: alert.owner,
    tags: [...alert.tags],
    actions: [...alert.actions],
    details: alert.details,
    createdAt: alert.createdAt.toISOString(),
  };
}

/** The alert as other services know it. */
export function stateOf(alert: Alert): AlertState {
  return {
    status: alert.status,
    acknowledged: alert.acknowledged,
    snoozed: alert.snoozed,
    cycle: alert.cycle,
    verdict: alert.verdict,
    flowStartedAt: alert.flowStartedAt.toISOString(),
    ...(alert.flow && { flow: alert.flow }),
    ...alertContent(alert),
    responders: [...alert.responders],
    integration: alert.integration,
  };
}

/** How a cycle begins with `version` of an alert that is as `alert` says. */
export const flowStart = (
  { responders, snoozed, verdict }: Pick<Alert, 'responders' | 'snoozed' | 'verdict'>,
  version: number,
): FlowStart => ({ version, responders: responders.length, began: verdict.kind === 'go' && !snoozed });

/** Whether an alert is held back at `at`: its delay is over at that time, although its timer may come later (P16). */
export const isHeld = ({ hold }: Pick<Alert, 'hold'>, at: Date): boolean =>
  hold?.isOver === false && !(hold.kind === 'delay' && hold.until <= at);
