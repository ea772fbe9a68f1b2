import type { NoticeCommand } from '@tocsin/contracts';

/** What became of a notice, without anything secret: no alert has a log for it. */
export interface NoticeOutcome extends Pick<NoticeCommand, 'kind' | 'noticeId' | 'userId'> {
  readonly outcome: string;
  readonly text: string;
}

export type NoticeListener = (news: NoticeOutcome) => void;
