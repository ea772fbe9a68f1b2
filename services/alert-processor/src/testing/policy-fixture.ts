import type { KeyPrincipal, UserPrincipal } from '@tocsin/http';
import type { EscalationState, ScheduleState, UserState } from '@tocsin/events';
import { setUp, team, type Component } from './component-fixture.ts';

const CONDITION = { field: 'message', not: false, operation: 'contains', expectedValue: 'disk', order: 0 };
const FILTER = { type: 'match-all-conditions', conditions: [CONDITION] };
const DURATION = { timeAmount: 5, timeUnit: 'minutes' };
const HOURS = { type: 'time-of-day', restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 30 } };

const common = { name: 'Nights', enabled: true, policyDescription: 'd', filter: FILTER, timeRestrictions: HOURS };

/** A valid body for each type of version 1. */
export const V1_BODIES = {
  'auto-restart-notifications': { ...common, duration: DURATION, maxRepeatCount: 3 },
  'auto-close': { ...common, duration: DURATION },
  'notification-suppress': common,
  'notification-deduplication': { ...common, deduplicationActionType: 'value-based', count: 3 },
  'notification-delay': { ...common, delayOption: 'next-monday', untilHour: 8, untilMinute: 30 },
  modify: {
    ...common,
    message: '{{message}}',
    alias: '{{alias.toLowerCase()}}',
    description: 'd',
    entity: 'e',
    source: 's',
    continue: true,
    ignoreOriginalAlertActions: true,
    ignoreOriginalDetails: false,
    ignoreOriginalRecipients: true,
    ignoreOriginalTags: false,
    ignoreOriginalTeams: false,
    alertActions: ['Restart'],
    details: { 'a.b': '1', $c: '{{message}}' },
    recipients: [{ type: 'user', username: 'ada@example.com' }, { type: 'team', id: 'ops' }, { type: 'all' }],
    tags: ['t'],
    priority: 'P2',
  },
} as const;
export type V1Type = keyof typeof V1_BODIES;
export const V1_TYPES = Object.keys(V1_BODIES) as readonly V1Type[];

/** The bodies that clients of version 2 send (wire facts 5). */
export const V2_BODIES = {
  alert: {
    ...common,
    message: '{{message}}',
    alias: '{{alias}}',
    description: '{{description}}',
    entity: '{{entity}}',
    source: '{{source}}',
    continue: true,
    ignoreOriginalActions: true,
    ignoreOriginalDetails: true,
    ignoreOriginalResponders: true,
    ignoreOriginalTags: true,
    actions: ['Restart'],
    details: { load: '7' },
    responders: [
      { type: 'user', id: 'ada' },
      { type: 'schedule', name: 'Rota' },
    ],
    tags: ['t'],
    priority: 'P1',
  },
  notification: {
    ...common,
    suppress: true,
    delayAction: { delayOption: 'for-duration', duration: DURATION },
    deduplicationAction: { deduplicationActionType: 'frequency-based', count: 2, duration: DURATION },
    autoCloseAction: { duration: DURATION },
    autoRestartAction: { duration: DURATION, maxRepeatCount: 2 },
  },
} as const;
export type V2Type = keyof typeof V2_BODIES;
export const V2_TYPES = Object.keys(V2_BODIES) as readonly V2Type[];

/** A notification policy without any action. */
export const NO_ACTIONS = {
  delayAction: null,
  deduplicationAction: null,
  autoCloseAction: null,
  autoRestartAction: null,
};

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface PolicyFixture extends Omit<Component, 'send' | 'get'> {
  readonly send: (...request: Parameters<Component['send']>) => Promise<Answer>;
  readonly get: (...request: Parameters<Component['get']>) => Promise<Answer>;
  /** Creates a policy by version 1 and returns its id. */
  readonly v1: (type: V1Type, changes?: object) => Promise<string>;
  /** Creates a policy of the account, or of the named team, by version 2, and returns its id. */
  readonly v2: (
    type: V2Type,
    changes?: object,
    teamId?: string,
    principal?: Partial<KeyPrincipal> | UserPrincipal,
  ) => Promise<string>;
  /** The `data` of a GET, which must answer 200. */
  readonly read: (path: string, principal?: Partial<KeyPrincipal> | UserPrincipal) => Promise<unknown>;
}

/** Teams Ops and Red, Ada, schedule Rota and escalation Ladder of Ops, schedule Theirs of Red, schedule Shared of no team. */
export async function policyFixture(): Promise<PolicyFixture> {
  const component = await setUp();
  const { replicas, send, get } = component;
  replicas.user.put('ada', { id: 'ada', username: 'ada@example.com' } as UserState);
  replicas.team.put('ops', team('ops', 'Ops'));
  replicas.team.put('red', team('red', 'Red'));
  replicas.schedule.put('rota', { id: 'rota', name: 'Rota', ownerTeamId: 'ops' } as ScheduleState);
  replicas.schedule.put('shared', { id: 'shared', name: 'Shared' } as ScheduleState);
  replicas.schedule.put('theirs', { id: 'theirs', name: 'Theirs', ownerTeamId: 'red' } as ScheduleState);
  replicas.escalation.put('ladder', { id: 'ladder', name: 'Ladder', ownerTeamId: 'ops' } as EscalationState);
  const created = async (path: string, body: object, principal?: Partial<KeyPrincipal> | UserPrincipal) => {
    const response = await send('post', path, body, principal);
    if (response.status !== 201) throw new Error(`${response.status} ${JSON.stringify(response.body)}`);
    return (response.body as { data: { id: string } }).data.id;
  };
  return {
    ...component,
    v1: (type, changes = {}) => created('/v1/policies', { ...V1_BODIES[type], type, ...changes }),
    v2: (type, changes = {}, teamId, principal = {}) => {
      const query = teamId === undefined ? '' : `?teamId=${teamId}`;
      return created(`/v2/policies${query}`, { ...V2_BODIES[type], type, ...changes }, principal);
    },
    read: async (path, principal) => {
      const response = await get(path, principal);
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${JSON.stringify(response.body)}`);
      return (response.body as { data: unknown }).data;
    },
  };
}
