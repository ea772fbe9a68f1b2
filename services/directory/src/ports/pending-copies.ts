import type { ActionType } from '@tocsin/contracts';
import type { NotificationRules } from '../domain/notification-rules.ts';

/** A copying of notification rules that has begun and has users left who do not have the copies. */
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

/** Keeps what is pending and sees to it that it goes on until nothing is left of it, whoever crashes. */
export interface PendingCopies {
  keep(copy: PendingCopy): Promise<void>;
}
