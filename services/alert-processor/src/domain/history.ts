import type { Decision, DecisionVerdict } from '@tocsin/contracts';
import { comparePositions, type Position } from './position.ts';

/** `alertAction`: what a caller did. `alertRecipient`: what was done to reach somebody. `system`: why something was done. */
type LogType = 'alertAction' | 'alertRecipient' | 'system';

export interface LogEntry {
  /** The id of the request, decision or deed that wrote it. All entries of one are written at once, at positions without a gap. */
  readonly writtenBy: string;
  /** Deterministic: the same entry written twice is one. */
  readonly entryId: string;
  readonly alertId: string;
  readonly log: string;
  readonly type: LogType;
  readonly owner: string;
  readonly createdAt: Date;
  readonly position: Position;
  /** What the owner did, where the entry tells of that. */
  readonly action?: string;
  /** The judgement that the entry tells of: an explanation is made from these. */
  readonly decision?: DecisionRecord;
}

/** What one verdict of a decision rests on. */
export interface DecisionRecord extends Pick<Decision, 'decisionId' | 'stage'>, Omit<DecisionVerdict, 'text'> {}

export interface Note {
  readonly noteId: string;
  readonly alertId: string;
  readonly note: string;
  readonly owner: string;
  readonly createdAt: Date;
  readonly position: Position;
}

/** The id of an entry; those of one writer count from 0. */
export function entryIdOf(writtenBy: string, index: number): string {
  return `${writtenBy}/${String(index)}`;
}

/** A stretch of an alert's history, in the order of `order`. */
export interface HistoryListing {
  readonly alertId: string;
  readonly order: 'asc' | 'desc';
  /** Exclusive. */
  readonly after: Position | undefined;
  readonly limit: number;
}

/** The part of `entries`, which are of one alert, that `listing` asks for. */
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

/** Who entries belong to that no caller wrote. */
export const SYSTEM = 'System';

/** What is to be written into an alert's history at one instant, in this order. */
export interface Writing {
  readonly at: Date;
  readonly requestId: string;
  readonly logs: readonly Pick<LogEntry, 'log' | 'type' | 'owner' | 'action' | 'decision'>[];
  readonly note?: Pick<Note, 'note' | 'owner'> | undefined;
}
