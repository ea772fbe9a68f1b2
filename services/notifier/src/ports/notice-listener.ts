import type { NoticeCommand } from '@tocsin/contracts';

/** What became of a notice, without anything secret: no alert has a log for it. */
export interface NoticeNews extends Pick<NoticeCommand, 'kind' | 'noticeId' | 'userId'> {
  readonly outcome: string;
  readonly text: string;
}

export type NoticeListener = (news: NoticeNews) => void;
