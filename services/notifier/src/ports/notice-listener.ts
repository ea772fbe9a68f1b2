import type { NoticeCommand, ShiftActionType } from '@tocsin/contracts';

/** What became of a notice, of a shift or another, without anything secret: no alert has a log for it. */
export interface NoticeOutcome {
  /** `unknown`: a later release has stored it. */
  readonly kind: NoticeCommand['kind'] | ShiftActionType | 'unknown';
  readonly noticeId: string;
  readonly userId: string;
  readonly outcome: string;
  readonly text: string;
}

export type NoticeListener = (news: NoticeOutcome) => void;
