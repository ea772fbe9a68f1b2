import type { ActionGroup, IntegrationActionBody } from '@tocsin/api';
import type { NewAlert } from '@tocsin/events';
import { evaluate, type Evaluated } from '../alerts/evaluate.ts';
import { actionOf, arranged, DEFAULT_ACTIONS, type ActionGroups } from '../integrations/action.ts';
import { NO_CONTENT, type Recipient } from '../integrations/content.ts';
import type { ResponderNames, Rules, SentAlert } from '../alerts/sent-alert.ts';

export const ALERT: NewAlert = {
  alertId: 'id-1',
  alias: 'cpu',
  message: 'CPU high',
  description: 'd',
  entity: 'e',
  priority: 'P3',
  responders: [],
  visibleTo: [],
  actions: ['ping'],
  tags: ['prod'],
  details: { host: 'db-1' },
};
/** A create as its caller sent it, without a priority of its own. */
export const SENT: SentAlert = {
  alert: ALERT,
  alias: 'cpu',
  source: '192.0.2.7',
  user: '',
  note: 'first',
  prioritized: false,
  teamKey: false,
};
export const NAMES: ResponderNames = {
  nameOf: (_, id) => (id === 'team-1' ? 'Ops' : undefined),
  idOf: (_, name) => (name === 'Ops' ? 'team-1' : undefined),
  everyone: () => ['user-1', 'user-2'],
};
export const TO_OPS: Recipient = { type: 'team', target: { id: 'team-1', name: 'Ops' } };
export const TO_ADA: Recipient = { type: 'user', target: { id: 'user-1', name: 'ada' } };

/** Holds where `field` contains the value. */
export const where = (field: string, expectedValue: string): IntegrationActionBody['filter'] => {
  const conditions = [{ field, not: false, operation: 'contains' as const, expectedValue }];
  return { set: { type: 'match-all-conditions', conditions }, written: {} };
};
export const rulesOf = (actions: ActionGroups, changes: Partial<Rules> = {}): Rules => ({
  name: 'Probe',
  actions,
  content: NO_CONTENT,
  recipients: [],
  suppressNotifications: false,
  ignoreRecipients: false,
  ignoreTeams: false,
  ignoreResponders: false,
  ...changes,
});
/** The actions of `bodies`, in their groups. */
export const groups = (...bodies: readonly IntegrationActionBody[]): ActionGroups => {
  const of = (type: ActionGroup) => bodies.filter((body) => body.type === type).map((body) => actionOf(body, [], 0));
  const [ignore, create, close] = [of('ignore'), of('create'), of('close')];
  return arranged({ ignore, create, close, acknowledge: of('acknowledge'), addNote: of('addNote') });
};
/** The result of an integration with one create action for a body. */
export const made = (
  body: Partial<IntegrationActionBody>,
  recipients: readonly Recipient[] = [],
  changes: Partial<Rules> = {},
  from: SentAlert = SENT,
): Evaluated =>
  evaluate(
    rulesOf({ ...DEFAULT_ACTIONS, create: [actionOf({ type: 'create', name: 'A', ...body }, recipients, 0)] }, changes),
    from,
    NAMES,
  );
