import type { AlertAct } from '../answers/answer.ts';
import type { ReplyCode } from '../answers/reply.ts';

/** Ada acknowledges by the link of a mail, by default. */
export const act = (change: Partial<AlertAct> = {}): AlertAct => ({
  requestId: 'answer:a1:1:acknowledge',
  action: 'acknowledge',
  alertId: 'a1',
  actor: { id: 'ada', username: 'ada@example.com' },
  answer: { by: 'link', method: 'email' },
  ...change,
});

/** The code by which Ada may reply about the alert `a1`, by default. */
export const replyCode = (change: Partial<ReplyCode> = {}): ReplyCode => ({
  code: '7kqmxz',
  alertId: 'a1',
  page: 'p1',
  userId: 'ada',
  tinyId: '7',
  to: '1-5551234567',
  expiresAt: new Date('2026-01-12T08:00:00Z'),
  ...change,
});
