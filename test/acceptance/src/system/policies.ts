import { afterEach } from '@jest/globals';
import type { SharedSystem } from './system.ts';

/** Deletes the policies of these ids after each test: those of the account would be those of other tests too. */
export function deletedAfterEach(system: SharedSystem, path: string): string[] {
  const ids: string[] = [];
  afterEach(async () => {
    for (const id of ids.splice(0)) await system.api.request('DELETE', `${path}/${id}`);
  });
  return ids;
}

/** A body, or a part of one. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a policy in a list. */
export interface ListedPolicy {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly order: number;
  readonly enabled: boolean;
}

export const inUnits = (timeAmount: number, timeUnit: string): Fields => ({ timeAmount, timeUnit });

const weekend = { startDay: 'friday', startHour: 18, startMin: 0, endDay: 'monday', endHour: 6, endMin: 30 };
/** The common fields of policies; disabled, so that it does not affect the alerts of other tests. */
const COMMON = {
  name: 'A policy',
  policyDescription: 'For tests',
  enabled: false,
  filter: {
    type: 'match-all-conditions',
    conditions: [
      { field: 'message', not: false, operation: 'contains', expectedValue: 'disk', order: 0 },
      { field: 'extra-properties', key: 'rack', not: true, operation: 'is-empty', expectedValue: '', order: 0 },
    ],
  },
  timeRestrictions: { type: 'weekday-and-time-of-day', restrictions: [weekend] },
};

/** A policy of version 2 that says everything but whom it adds. */
export const ALERT_POLICY = {
  ...COMMON,
  type: 'alert',
  message: '{{message}}!',
  continue: true,
  alias: '{{alias}}',
  entity: '{{entity}}',
  source: '{{source}}',
  ignoreOriginalActions: false,
  ignoreOriginalDetails: true,
  ignoreOriginalResponders: true,
  ignoreOriginalTags: false,
  actions: ['Restart'],
  tags: ['seen'],
  priority: 'P1',
};

/** Each effect of a notification policy of version 2, as it is asked for. */
export const EFFECTS = {
  suppress: { suppress: true },
  delayAction: { delayAction: { delayOption: 'next-weekday', untilHour: 0, untilMinute: 0 } },
  deduplicationAction: { deduplicationAction: { deduplicationActionType: 'value-based', count: 100 } },
  autoCloseAction: { autoCloseAction: { duration: inUnits(36, 'hours') } },
  autoRestartAction: { autoRestartAction: { duration: inUnits(90, 'seconds'), maxRepeatCount: 3 } },
};
type Effect = keyof typeof EFFECTS;
export const EFFECT_NAMES = Object.keys(EFFECTS) as readonly Effect[];

/** A notification policy of version 2 with these effects. */
export function notificationPolicy(...effects: readonly Effect[]): Fields {
  return {
    ...COMMON,
    type: 'notification',
    ...Object.fromEntries(effects.flatMap((effect) => Object.entries(EFFECTS[effect]))),
  };
}

/** The fields of each type of version 1 besides the common ones (part 1, 2.8), and a required field. */
export const TYPES: Readonly<Record<string, { readonly says: Fields; readonly needs: string }>> = {
  modify: {
    says: {
      message: '{{message}} of {{source}}',
      continue: true,
      alias: '{{alias.toLowerCase()}}',
      description: 'Seen: {{description}}',
      entity: '{{entity}}',
      source: '{{source}}',
      ignoreOriginalAlertActions: true,
      ignoreOriginalDetails: true,
      ignoreOriginalRecipients: false,
      ignoreOriginalTags: true,
      ignoreOriginalTeams: true,
      alertActions: ['Restart'],
      details: { 'rack.row': 'b2', $: '1' },
      recipients: [{ type: 'none' }],
      tags: ['seen'],
      priority: 'P2',
    },
    needs: 'message',
  },
  'notification-suppress': { says: {}, needs: 'name' },
  'notification-delay': { says: { delayOption: 'next-monday', untilHour: 8, untilMinute: 30 }, needs: 'delayOption' },
  'notification-deduplication': {
    says: { deduplicationActionType: 'frequency-based', count: 3, duration: inUnits(90, 'seconds') },
    needs: 'duration',
  },
  'auto-close': { says: { duration: inUnits(2, 'days') }, needs: 'duration' },
  'auto-restart-notifications': { says: { duration: inUnits(5, 'minutes'), maxRepeatCount: 20 }, needs: 'duration' },
};

/** A policy of version 1 of `type` that says everything. */
export function policyOfType(type: string, more: Fields = {}): Fields {
  return { ...COMMON, type, ...TYPES[type]?.says, ...more };
}
