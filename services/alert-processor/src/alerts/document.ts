import { searchable, type Searchable } from '@tocsin/rules';
import { closedAt, teamsSeeing, type Alert } from './alert.ts';
import { nextDueAt } from './due.ts';

/** The fields that may be undefined. They are stored as null, as the driver would do anyway. */
type Nullable =
  'snoozedUntil' | 'unresolved' | 'ownerTeamId' | 'report' | 'hold' | 'autoClose' | 'autoRestart' | 'lastPosition';

/** An alert as it is stored. */
export type AlertDocument = Omit<Alert, 'id' | 'details' | Nullable> & {
  readonly [Field in Nullable]: Exclude<Alert[Field], undefined> | null;
} & {
  readonly _id: string;
  /** Pairs, because callers' keys may contain dots and dollars. */
  readonly details: readonly { readonly key: string; readonly value: string }[];
  /** The values that searches and the lists of team keys filter by (A11, decision 0015). */
  readonly search: Searchable;
  /** Only of closed alerts: their retention counts from it. */
  readonly closedAt?: Date;
  /** When its next scheduled action is due; absent where it only waits for commands. */
  readonly nextDueAt?: Date;
  /** A value that is new with each change of its files. */
  readonly touchedBy?: string;
};

export function alertDocument(alert: Alert): AlertDocument {
  const dueAt = nextDueAt(alert);
  return {
    ...content(alert),
    search: searchable(alert, teamsSeeing(alert)),
    ...(dueAt && { nextDueAt: dueAt }),
  };
}

/** The fields from which {@link searchable} and {@link teamsSeeing} are computed. */
const SEARCHED = [
  ...(['message', 'description', 'alias', 'entity', 'source', 'tags', 'details', 'priority', 'owner'] as const),
  ...(['responders', 'visibleTo', 'ownerTeamId'] as const),
];

/** The update of a stored alert. */
export interface AlertUpdate {
  readonly $set: Partial<AlertDocument>;
  readonly $unset?: { readonly nextDueAt: '' };
}

/**
 * The update that turns a stored `before` into `after`: the fields that changed, and the search terms only if a field
 * that they come from changed. So a repeat sets a few short values.
 */
export function alertUpdate(before: Alert | undefined, after: Alert): AlertUpdate {
  const dueAt = nextDueAt(after);
  const isSame = before !== undefined && dueAt?.getTime() === nextDueAt(before)?.getTime();
  if (isSame) return { $set: alertChanges(before, after) };
  if (dueAt === undefined) return { $set: alertChanges(before, after), $unset: { nextDueAt: '' } };
  return { $set: { ...alertChanges(before, after), nextDueAt: dueAt } };
}

/** The update of the due time of a stored alert. */
export function dueUpdate(alert: Alert): AlertUpdate | { readonly $unset: { readonly nextDueAt: '' } } {
  const dueAt = nextDueAt(alert);
  return dueAt === undefined ? { $unset: { nextDueAt: '' } } : { $set: { nextDueAt: dueAt } };
}

function alertChanges(before: Alert | undefined, after: Alert): Partial<AlertDocument> {
  const isNew = (field: string): boolean => before?.[field as keyof Alert] !== after[field as keyof Alert];
  const { closedAt: closed, ...values } = content(after);
  return {
    ...Object.fromEntries(Object.entries(values).filter(([field]) => isNew(field))),
    ...(closed !== undefined && isNew('report') && { closedAt: closed }),
    ...(SEARCHED.some(isNew) && { search: searchable(after, teamsSeeing(after)) }),
  };
}

function content(alert: Alert): Omit<AlertDocument, 'search' | 'nextDueAt'> {
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

/** The projection to read an alert: without the fields that are only for selection, or that files set. */
export const ALERT_FIELDS = { search: 0, touchedBy: 0, closedAt: 0, nextDueAt: 0 } as const;

/** A document that was read with {@link ALERT_FIELDS}. */
export type ReadAlert = Omit<AlertDocument, keyof typeof ALERT_FIELDS>;

/** The alert of a document that was read as a whole. */
export function alertOfWhole(document: AlertDocument): Alert {
  const fields = Object.entries(document).filter(([field]) => !(field in ALERT_FIELDS));
  return alertOf(Object.fromEntries(fields) as ReadAlert);
}

/** The alert of a document that was read with {@link ALERT_FIELDS}. */
export function alertOf(document: ReadAlert): Alert {
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
