import { searchable, type Searchable } from '@tocsin/alert-query';
import type { IntegrationReference, Priority, Responder, Verdict } from '@tocsin/contracts';
import {
  closedAt,
  teamsSeeing,
  type Alert,
  type AlertReport,
  type AutoRestart,
  type Hold,
  type UnresolvedResponders,
} from '../domain/alert.ts';
import type { Position } from '../domain/position.ts';

/** An alert as it is stored. No field is `undefined`, because the driver would store null. */
export interface AlertDocument {
  readonly _id: string;
  readonly tinyId: number;
  readonly alias: string;
  readonly status: Alert['status'];
  readonly acknowledged: boolean;
  readonly seen: boolean;
  readonly snoozed: boolean;
  readonly snoozedUntil: Date | null;
  readonly count: number;
  readonly message: string;
  readonly description: string;
  readonly source: string;
  readonly entity: string;
  readonly priority: Priority;
  readonly owner: string;
  readonly tags: readonly string[];
  readonly actions: readonly string[];
  /** Pairs, because callers' keys may hold dots and dollars. */
  readonly details: readonly { readonly key: string; readonly value: string }[];
  readonly responders: readonly Responder[];
  readonly visibleTo: readonly Responder[];
  readonly unresolved: UnresolvedResponders | null;
  readonly ownerTeamId: string | null;
  /** What searches and the lists of team keys filter by (A11, decision 0015). */
  readonly search: Searchable;
  readonly integration: IntegrationReference;
  readonly report: AlertReport | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastOccurredAt: Date;
  readonly cycle: number;
  readonly verdict: Verdict;
  readonly hold: Hold | null;
  readonly autoClose: Alert['autoClose'] | null;
  readonly autoRestart: AutoRestart | null;
  readonly alarms: Alert['alarms'];
  readonly flowStartedAt: Date;
  readonly version: number;
  readonly lastPosition: Position | null;
  /** Of closed alerts: what the end of their retention counts from. */
  readonly closedAt?: Date;
}

export function alertDocument(alert: Alert): AlertDocument {
  return { ...content(alert), search: searchable(alert, teamsSeeing(alert)) };
}

/** What {@link searchable} and {@link teamsSeeing} are made from. */
const SEARCHED = [
  ...(['message', 'description', 'alias', 'entity', 'source', 'tags', 'details', 'priority', 'owner'] as const),
  ...(['responders', 'visibleTo', 'ownerTeamId'] as const),
];

/**
 * What has to be set where `before` lies to make it `after`: the values that are others, and what searches look at only
 * where one of those is among them. A repeat sets a few short values.
 */
export function alertChanges(before: Alert | undefined, after: Alert): Partial<AlertDocument> {
  const isNew = (field: string): boolean => before?.[field as keyof Alert] !== after[field as keyof Alert];
  const { closedAt: closed, ...values } = content(after);
  return {
    ...Object.fromEntries(Object.entries(values).filter(([field]) => isNew(field))),
    ...(closed !== undefined && isNew('report') && { closedAt: closed }),
    ...(SEARCHED.some(isNew) && { search: searchable(after, teamsSeeing(after)) }),
  };
}

function content(alert: Alert): Omit<AlertDocument, 'search'> {
  const { id, details, snoozedUntil, unresolved, ownerTeamId, report, lastPosition, ...rest } = alert;
  const { hold, autoClose, autoRestart, ...same } = rest;
  const closed = closedAt(alert);
  return {
    _id: id,
    ...same,
    details: Object.entries(details).map(([key, value]) => ({ key, value })),
    snoozedUntil: snoozedUntil ?? null,
    unresolved: unresolved ?? null,
    ownerTeamId: ownerTeamId ?? null,
    report: report ?? null,
    hold: hold ?? null,
    autoClose: autoClose ?? null,
    autoRestart: autoRestart ?? null,
    lastPosition: lastPosition ?? null,
    ...(closed !== undefined && { closedAt: closed }),
  };
}

/** What an alert is made of again: reads leave out what exists for selection alone, and what files leave. */
export const ALERT_FIELDS = { search: 0, touchedBy: 0, closedAt: 0 } as const;

export function alertOf(document: Omit<AlertDocument, 'search' | 'closedAt'>): Alert {
  const { _id: id, details, snoozedUntil, unresolved, ownerTeamId, report, lastPosition, ...rest } = document;
  const { hold, autoClose, autoRestart, ...same } = rest;
  return {
    id,
    ...same,
    details: Object.fromEntries(details.map(({ key, value }) => [key, value])),
    snoozedUntil: snoozedUntil ?? undefined,
    unresolved: unresolved ?? undefined,
    ownerTeamId: ownerTeamId ?? undefined,
    report: report ?? undefined,
    hold: hold ?? undefined,
    autoClose: autoClose ?? undefined,
    autoRestart: autoRestart ?? undefined,
    lastPosition: lastPosition ?? undefined,
  };
}
