import { AUDIT_SLACK_MS, MAX_STUCK, type Audit } from '@tocsin/service';
import type { EscalationStateStore } from './store.ts';

/** Finds escalation states that are overdue by half a minute. It redrives none, because each process looks for due states once a second. */
export const escalationAudit = (states: Pick<EscalationStateStore, 'findOverdue'>): Audit => ({
  kind: 'flows',
  what: 'escalations are overdue',
  look: async (now) => {
    const overdue = await states.findOverdue(new Date(now.getTime() - AUDIT_SLACK_MS), MAX_STUCK);
    return overdue.map(({ alertId, dueAt }) => ({
      id: alertId,
      text: `The escalation flow of alert ${alertId} has been overdue since ${dueAt.toISOString()}.`,
    }));
  },
});
