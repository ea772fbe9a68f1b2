import type {
  AlertContent,
  AlertState,
  FlowStart,
  IntegrationReference,
  Priority,
  Responder,
  ResponderReference,
  Notifications,
} from '@tocsin/events';
import type { Position } from '../alert-log/entry.ts';

/** The users who acknowledged and closed the alert, and how many milliseconds after its creation (A4, A6). */
export interface AlertReport {
  readonly ackTimeMs?: number;
  readonly acknowledgedBy?: string;
  readonly closeTimeMs?: number;
  readonly closedBy?: string;
}

/** A responder whose owner could not be asked. */
export interface UnresolvedResponder extends ResponderReference {
  /** The team of the key that added it: it joins only if that team may name it (K9). Absent if the alert was created with it. */
  readonly addedByTeamId?: string;
}

/** References whose owner could not be asked. */
export interface UnresolvedResponders {
  readonly responders: readonly UnresolvedResponder[];
  readonly visibleTo: readonly ResponderReference[];
  /** How many look-ups have failed. */
  readonly attempt: number;
  /** When the next look-up is due. */
  readonly dueAt: Date;
}

/** The hold of an alert's flow, by the policy as it was when the alert was created (P6). */
export type Hold = {
  /** Its label in the log. */
  readonly policy: string;
  /** The hold ended while the alert was acknowledged: an unacknowledge starts the flow (P16). */
  readonly isOver: boolean;
} & (
  | { readonly kind: 'delay'; readonly until: Date }
  | {
      readonly kind: 'deduplication';
      /** The flow starts with this occurrence. */
      readonly count: number;
      /** Only occurrences accepted within this time of each other count; absent if all count. */
      readonly withinMs?: number;
      /** When the last ones were accepted, earliest first, at most `count`; present only with `withinMs`. */
      readonly occurrences?: readonly Date[];
    }
);

/** How often a policy restarts the flow, and how often it has (P7). */
interface AutoRestart {
  /** Its label in the log. */
  readonly policy: string;
  readonly everyMs: number;
  readonly times: number;
  readonly done: number;
  /** The last start of the flow: the next restart counts from it. */
  readonly since: Date;
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
  /** When the flow starts again; set only while the alert is snoozed. */
  readonly snoozedUntil: Date | undefined;
  readonly count: number;
  readonly message: string;
  readonly description: string;
  readonly source: string;
  readonly entity: string;
  readonly priority: Priority;
  /** The most urgent priority that it has had, once a caller has changed it: a repeat raises it only above that (Q9). */
  readonly highestPriority?: Priority;
  /** User name or display name; empty when it has no owner. */
  readonly owner: string;
  readonly tags: readonly string[];
  readonly actions: readonly string[];
  readonly details: Readonly<Record<string, string>>;
  readonly responders: readonly Responder[];
  readonly visibleTo: readonly Responder[];
  readonly unresolved: UnresolvedResponders | undefined;
  /** The owner team of the integration that created it: the scope of its alias. Undefined means the account (A16). */
  readonly ownerTeamId: string | undefined;
  readonly integration: IntegrationReference;
  readonly report: AlertReport | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastOccurredAt: Date;
  readonly cycle: number;
  readonly notifications: Notifications;
  /** Set exactly while the notifications are `delayed`. */
  readonly hold: Hold | undefined;
  readonly autoClose: { readonly policy: string; readonly dueAt: Date } | undefined;
  readonly autoRestart: AutoRestart | undefined;
  readonly flowStartedAt: Date;
  /** How the cycle began. */
  readonly flow: FlowStart;
  /** Grows with every change of the alert, repeats included. Repeats are not published. */
  readonly version: number;
  readonly lastPosition: Position | undefined;
}

/** Whether the notification flow runs: it may page a user. */
export const flows = ({ acknowledged, snoozed, status, notifications }: Alert): boolean =>
  status === 'open' && notifications.kind === 'active' && !acknowledged && !snoozed;

/** Whether `priority` is more urgent than `other`. P1 is the most urgent. */
export const isMoreUrgent = (priority: Priority, other: Priority): boolean => priority < other;

/** When it was closed; undefined while it is open. */
export function closedAt({ createdAt, report }: Alert): Date | undefined {
  return report?.closeTimeMs === undefined ? undefined : new Date(createdAt.getTime() + report.closeTimeMs);
}

/** The teams whose keys may see the alert: responders, `visibleTo` and the owner team (K4, A10). Each once. */
export function teamsSeeing(alert: Alert): readonly string[] {
  const teams = [...alert.responders, ...alert.visibleTo].filter(({ type }) => type === 'team').map(({ id }) => id);
  return [...new Set(alert.ownerTeamId === undefined ? teams : [...teams, alert.ownerTeamId])];
}

/** Whether a key may see the alert. A key without a team sees every alert (K4). */
export function maySee(alert: Alert, teamId: string | undefined): boolean {
  return teamId === undefined || teamsSeeing(alert).includes(teamId);
}

/**
 * The alert of an alias for a key; `open` has all open alerts with that alias. It is the one in the key's own scope (its team, or the
 * account), else the newest that the key may see (A16).
 */
export function resolveAlias(teamId: string | undefined, open: readonly Alert[]): Alert | undefined {
  const own = open.find(({ ownerTeamId }) => ownerTeamId === teamId);
  return own ?? open.filter((alert) => maySee(alert, teamId)).toSorted(newestFirst)[0];
}

function newestFirst(one: Alert, other: Alert): number {
  return other.createdAt.getTime() - one.createdAt.getTime() || other.tinyId - one.tinyId;
}

/** The fields of the alert that events and webhook commands share. */
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
    notifications: alert.notifications,
    flowStartedAt: alert.flowStartedAt.toISOString(),
    flow: alert.flow,
    ...alertContent(alert),
    responders: [...alert.responders],
    integration: alert.integration,
  };
}

/** How a cycle starts. */
export const flowStart = ({ responders }: Pick<Alert, 'responders'>): FlowStart => ({ responders: responders.length });

/** Whether a hold is in force at `at`. A delay ends at its time, even if its end is processed later (P16). */
export const isHeld = ({ hold }: Pick<Alert, 'hold'>, at: Date): boolean =>
  hold?.isOver === false && !(hold.kind === 'delay' && hold.until <= at);
