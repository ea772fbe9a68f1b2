import type { AlertAct } from '../domain/alert-act.ts';

/** Ada acknowledges by the link of a mail, unless told. */
export const act = (change: Partial<AlertAct> = {}): AlertAct => ({
  requestId: 'link:a1:1:ada',
  action: 'acknowledge',
  alertId: 'a1',
  user: { id: 'ada', username: 'ada@example.com' },
  answer: { by: 'link', method: 'email' },
  ...change,
});
