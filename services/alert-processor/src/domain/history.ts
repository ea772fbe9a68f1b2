import type { Decision, DecisionVerdict } from '@tocsin/contracts';
import { comparePositions, type Position } from './position.ts';

/** `alertAction`: what a caller did. `alertRecipient`: what was done to reach somebody. `system`: why something was done. */
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

/** One verdict of a decision, without its text: the entry has that. */
export interface DecisionRecord extends Pick<Decision, 'decisionId' | 'stage'>, Omit<DecisionVerdict, 'text'> {}

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
