import { MATCH_ALL_CRITERIA } from '@tocsin/api';
import type { AlertEffects, Modification, NotificationEffects, Policy } from '../policies/policy.ts';

/** The effects of a notification policy; by default it does nothing. */
export const notifying = (effects: Partial<NotificationEffects> = {}): NotificationEffects => ({
  kind: 'notification',
  suppress: false,
  delay: undefined,
  deduplication: undefined,
  autoClose: undefined,
  autoRestart: undefined,
  ...effects,
});

/** The effects of a modify policy; by default it leaves the alert as it is. */
export const modifying = (changes: Partial<Modification> = {}): AlertEffects => ({
  kind: 'alert',
  modify: {
    continue: false,
    message: '{{message}}',
    alias: '{{alias}}',
    description: '{{description}}',
    entity: '{{entity}}',
    source: '{{source}}',
    ignoreOriginalActions: false,
    ignoreOriginalDetails: false,
    ignoreOriginalRecipients: false,
    ignoreOriginalTeams: false,
    ignoreOriginalTags: false,
    actions: [],
    details: [],
    recipients: [],
    tags: [],
    priority: undefined,
    ...changes,
  },
});

/** A policy of the account for every alert; by default it does nothing. */
export const policyOf = (id: string, changes: Partial<Policy> = {}): Policy => ({
  id,
  createdAt: new Date('2026-01-05T08:00:00Z'),
  name: `Policy ${id}`,
  description: '',
  enabled: true,
  teamId: undefined,
  order: 0,
  filter: MATCH_ALL_CRITERIA,
  timeRestriction: undefined,
  effects: notifying(),
  ...changes,
});
