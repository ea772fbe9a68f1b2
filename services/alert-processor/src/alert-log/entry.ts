import type { Decision, DecisionFinding } from '@tocsin/events';

/** `alertAction`: what a caller did. `alertRecipient`: what was done to reach a user. `system`: why something was done. */
type LogType = 'alertAction' | 'alertRecipient' | 'system';

export interface LogEntry {
  /** The id of the request, decision or deed that wrote it, with all its entries at once, at consecutive positions. */
  readonly writtenBy: string;
  /** Deterministic, so an entry that is written twice is kept once. */
  readonly entryId: string;
  readonly alertId: string;
  readonly log: string;
  readonly type: LogType;
  readonly owner: string;
  readonly createdAt: Date;
  readonly position: Position;
  /** The owner's action, if the entry records one. */
  readonly action?: string;
  /** The decision that the entry records. Explanations are made from these. */
  readonly decision?: DecisionRecord;
}

/** One finding of a decision, without its text: the entry has that. */
export interface DecisionRecord extends Pick<Decision, 'decisionId' | 'stage'>, Omit<DecisionFinding, 'text'> {}

export interface Note {
  readonly noteId: string;
  readonly alertId: string;
  readonly note: string;
  readonly owner: string;
  readonly createdAt: Date;
  readonly position: Position;
}

/** The id of an entry; `index` counts the entries of one writer from 0. */
export function entryIdOf(writtenBy: string, index: number): string {
  return `${writtenBy}/${String(index)}`;
}

/** Which part of an alert's history a caller asks for. */
export interface HistoryListing {
  readonly alertId: string;
  readonly order: 'asc' | 'desc';
  /** Exclusive. */
  readonly after: Position | undefined;
  readonly limit: number;
}

/** The part of `entries` that a listing asks for; all of them belong to one alert. */
export function listed<T extends { readonly position: Position }>(
  entries: readonly T[],
  { order, after, limit }: Omit<HistoryListing, 'alertId'>,
): readonly T[] {
  const direction = order === 'asc' ? 1 : -1;
  return entries
    .filter(({ position }) => after === undefined || direction * comparePositions(position, after) > 0)
    .sort((a, b) => direction * comparePositions(a.position, b.position))
    .slice(0, limit);
}

/** The owner of entries that no caller wrote. */
export const SYSTEM = 'System';

/** The entries that a change writes into an alert's history at one instant, in this order. */
export interface Writing {
  readonly at: Date;
  readonly requestId: string;
  readonly logs: readonly Pick<LogEntry, 'log' | 'type' | 'owner' | 'action' | 'decision'>[];
  readonly note?: Pick<Note, 'note' | 'owner'> | undefined;
}

/**
 * The position of an entry in the history of one alert: the millisecond of its acceptance, then a rank inside it. The
 * wire form `<epochMs>_<nanos>` is the opaque cursor of notes and logs (A12).
 */
export interface Position {
  readonly ms: number;
  readonly nanos: number;
}

/** The first position at `at` or later that is after `previous`. So the entries of an alert strictly increase. */
export function positionAfter(previous: Position | undefined, at: Date): Position {
  const ms = at.getTime();
  if (previous === undefined || ms > previous.ms) return { ms, nanos: 0 };
  return { ms: previous.ms, nanos: previous.nanos + 1 };
}

export function formatPosition({ ms, nanos }: Position): string {
  return `${String(ms)}_${String(nanos)}`;
}

const CURSOR = /^(\d{1,13})_(\d{1,16})$/;

/** Parses a cursor; undefined if it is not one. */
export function parsePosition(cursor: string): Position | undefined {
  const match = CURSOR.exec(cursor.trim());
  return match === null ? undefined : { ms: Number(match[1]), nanos: Number(match[2]) };
}

/** Negative when `a` comes before `b`. */
export function comparePositions(a: Position, b: Position): number {
  return a.ms - b.ms || a.nanos - b.nanos;
}
