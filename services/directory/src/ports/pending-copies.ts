import type { ActionType } from '@tocsin/contracts';
import type { NotificationRules } from '../domain/notification-rules.ts';

/** Notification rules that are being copied to many users, some of whom do not have them yet. */
export interface PendingCopy {
  readonly id: string;
  /** Whose rules they are. */
  readonly sourceId: string;
  /** As they were at the beginning. */
  readonly rules: NotificationRules;
  readonly actionTypes: readonly ActionType[];
  /** The ids of the users who get them; undefined: everybody. */
  readonly among: readonly string[] | undefined;
  /** Users up to this id have them; undefined: nobody yet. */
  readonly after: string | undefined;
}

/** Keeps pending copies. Each goes on until it is done, also after a crash. */
export interface PendingCopies {
  keep(copy: PendingCopy): Promise<void>;
}
