import { DEFAULT_ACTIONS } from '../integrations/action.ts';
import type { Integration } from '../integrations/integration.ts';

export const createdAt = new Date('2026-01-01T00:00:00Z');

/** An integration named after `id`, with every field filled. */
export function integrationOf(id: string, changes: Partial<Integration> = {}): Integration {
  return {
    id,
    version: { epoch: createdAt.getTime(), n: 1 },
    createdAt,
    name: `Integration ${id} [🔔]`,
    type: 'Prometheus',
    enabled: true,
    ownerTeam: { id: 'team-1', name: 'Ops' },
    allowReadAccess: true,
    allowWriteAccess: true,
    allowConfigurationAccess: false,
    ignoreRecipients: false,
    ignoreTeams: true,
    ignoreResponders: false,
    suppressNotifications: false,
    keepSamples: true,
    recipients: [
      { type: 'user', target: { id: 'user-1', name: 'ada@example.com' } },
      { type: 'all', target: undefined },
    ],
    content: {
      assignedTeam: { id: 'team-2', name: 'Night' },
      priority: 'P2',
      customPriority: '{{details.p}}',
      tags: ['{{entity}}'],
      extraProperties: [['$a.b', '{{source}}']],
      ignoreTags: true,
      ignoreExtraProperties: false,
    },
    sendAlertActions: false,
    alertActions: ['Create', 'Close'],
    alertFilter: {
      set: {
        type: 'match-any-condition',
        conditions: [{ field: 'tags', not: true, operation: 'is-empty', expectedValue: '' }],
      },
      written: {
        conditionMatchType: 'Match Any Condition',
        conditions: [{ field: 'Tags', isNot: true, operation: 'Is Empty', expectedValue: '' }],
      },
    },
    emailUsername: `ops.${id}`,
    webhook: {
      url: 'https://example.com/',
      headers: [['X-A', 'b']],
      addAlertDetails: true,
      addAlertDescription: false,
    },
    chat: undefined,
    key: { hash: `hash-${id}`, lastFour: 'abcd' },
    retiringKeys: [{ keyHash: `old-${id}`, validUntil: new Date('2026-01-01T01:00:00Z') }],
    actions: DEFAULT_ACTIONS,
    ...changes,
  };
}
