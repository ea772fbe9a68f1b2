import type { Policy } from '@tocsin/alert-processor/policy-application';
import { CriteriaBody, type CreateAlertBody } from '@tocsin/api';
import type { CreateAlert } from '@tocsin/events';

/**
 * Policies such as an installation with many services has, half of each kind: each looks at five fields of which the last alone
 * decides, and none holds but the last of its kind.
 */
export function benchPolicies(count: number): readonly Policy[] {
  const half = Math.ceil(count / 2);
  return Array.from({ length: count }, (_, index) => {
    const [kind, order] = index < half ? (['alert', index] as const) : (['notification', index - half] as const);
    const isLast = index === half - 1 || index === count - 1;
    return {
      id: `policy-${index}`,
      createdAt: new Date(index),
      name: `Service ${index}`,
      description: '',
      enabled: true,
      teamId: undefined,
      order,
      filter: CriteriaBody.parse({
        type: 'match-all-conditions',
        conditions: [
          { field: 'message', operation: 'starts-with', expectedValue: 'Disk' },
          { field: 'extra-properties', key: 'host', operation: 'matches', expectedValue: `db-[0-9]+.*|svc-${index}` },
          { field: 'description', not: true, operation: 'is-empty' },
          { field: 'entity', not: true, operation: 'equals', expectedValue: `service-${index}` },
          { field: 'tags', operation: 'contains', expectedValue: isLast ? 'disk' : `service-${index}` },
        ],
      }),
      timeRestriction: {
        type: 'time-of-day',
        restriction: { startHour: 0, startMin: 0, endHour: 0, endMin: 0 },
      },
      effects: EFFECTS[kind],
    };
  });
}

const EFFECTS: Readonly<Record<Policy['effects']['kind'], Policy['effects']>> = {
  alert: {
    kind: 'alert',
    modify: {
      continue: true,
      message: '{{message.replace("full", "FULL")}} on {{details.host}}',
      alias: '{{alias.toLowerCase()}}',
      description: '{{description}} on {{details.host}}',
      entity: '{{entity}}',
      source: '{{source}}',
      ignoreOriginalActions: false,
      ignoreOriginalDetails: false,
      ignoreOriginalRecipients: false,
      ignoreOriginalTeams: false,
      ignoreOriginalTags: false,
      actions: [],
      details: [['policy', 'bench']],
      recipients: [],
      tags: ['modified'],
      priority: 'P1',
    },
  },
  notification: {
    kind: 'notification',
    suppress: false,
    delay: { option: 'next-weekday', untilHour: 8, untilMinute: 30 },
    deduplication: undefined,
    autoClose: { duration: { timeAmount: 1, timeUnit: 'hours' } },
    autoRestart: { duration: { timeAmount: 10, timeUnit: 'minutes' }, maxRepeatCount: 3 },
  },
};

/** The create that `body` asks for. */
export function createOf(body: CreateAlertBody): CreateAlert {
  const { message, alias = 'disk', description = '', entity = '' } = body;
  return {
    kind: 'create',
    requestId: 'bench',
    identifier: { type: 'alias', value: alias },
    integration: { id: 'bench', name: 'Bench', type: 'API' },
    actor: 'bench',
    source: 'bench',
    acceptedAt: '2026-01-05T08:00:00.000Z',
    alert: {
      alertId: 'bench',
      alias,
      message,
      description,
      responders: [...body.responders],
      visibleTo: [...body.visibleTo],
      actions: [...body.actions],
      tags: [...body.tags],
      details: { ...body.details },
      entity,
      priority: body.priority ?? 'P3',
    },
  };
}
