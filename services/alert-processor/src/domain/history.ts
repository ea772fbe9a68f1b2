import type { Decision, DecisionVerdict } from '@tocsin/contracts';
import type { Position } from './position.ts';

/** `alertAction`: what a caller did. `alertRecipient`: what was done to reach somebody. `system`: why something was done. */
type LogType = 'alertAction' | 'alertRecipient' | 'system';

export interface LogEntry {
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

/** The id of an entry that a request leaves in the log; they count from 0. */
export function entryIdOf(requestId: string, index: number): string {
  return `${requestId}/${String(index)}`;
}

/** Who entries belong to that no caller wrote. */
export const SYSTEM = 'System';

/** What is to be written into an alert's history at one instant, in this order. */
export interface Writing {
  readonly at: Date;
  readonly requestId: string;
  readonly logs: readonly Pick<LogEntry, 'log' | 'type' | 'owner' | 'action'>[];
  readonly note?: Pick<Note, 'note' | 'owner'> | undefined;
}
