import type { AlertCommand, AlertIdentifier } from '@tocsin/events';
import { acknowledge, addNote, byId, close, order, pagingCreate, resetRecipientStates } from './commands-samples.ts';

/** The alert that commands are about. */
export interface Target {
  /** How commands name it. */
  readonly identifier: AlertIdentifier;
  /** How the system's own commands name it. A create under an alias makes an id of its own. */
  readonly alertId: string;
  /** Empty if the alert has no alias of its own. */
  readonly alias: string;
  /** When the commands are accepted. */
  readonly at: string;
}

type Kind = AlertCommand['kind'];
type Ordered = Parameters<typeof order>[1];

const ordered =
  (own: Ordered) =>
  ({ identifier, at }: Target): AlertCommand =>
    order(identifier, own, { at });

/**
 * Makes a new command of each kind about a target. This does not compile if the contract has a kind that is missing
 * here.
 */
export const EVERY_KIND: Readonly<Record<Kind, (target: Target) => AlertCommand>> = {
  create: ({ identifier, alias, alertId, at }) => ({
    ...pagingCreate(alias, {
      at,
      note: 'first note',
      alert: {
        tags: ['a'],
        details: { rack: 'b2' },
        actions: ['Restart'],
        ...(alias === '' ? { alertId } : {}),
      },
    }),
    identifier,
  }),
  'add-note': ({ identifier, at }) => addNote(identifier, 'looking', { at }),
  'add-tags': ordered({ kind: 'add-tags', tags: ['b', 'c'] }),
  'remove-tags': ordered({ kind: 'remove-tags', tags: ['a', 'c'] }),
  'add-details': ordered({ kind: 'add-details', details: { row: '7', 'a.b': '$1' } }),
  'remove-details': ordered({ kind: 'remove-details', keys: ['rack'] }),
  'execute-action': ordered({ kind: 'execute-action', action: 'Restart' }),
  'update-message': ordered({ kind: 'update-message', message: 'Disk very full' }),
  'update-description': ordered({ kind: 'update-description', description: 'Really' }),
  'update-priority': ordered({ kind: 'update-priority', priority: 'P1' }),
  acknowledge: ({ identifier, at }) => acknowledge(identifier, { at, actor: 'ada' }),
  unacknowledge: ordered({ kind: 'unacknowledge' }),
  assign: ordered({ kind: 'assign', owner: { type: 'user', id: 'ada' } }),
  'add-responder': ordered({ kind: 'add-responder', responder: { type: 'user', id: 'ada' } }),
  'add-team': ordered({ kind: 'add-team', responder: { type: 'team', id: 'ops' } }),
  escalate: ordered({ kind: 'escalate', escalation: { type: 'escalation', id: 'all' } }),
  snooze: ({ identifier, at }) =>
    order(identifier, { kind: 'snooze', endTime: new Date(Date.parse(at) + 3_600_000).toISOString() }, { at }),
  'reset-recipient-states': ({ alertId, at }) => resetRecipientStates(alertId, 1, { at }),
  close: ({ identifier, at }) => close(identifier, { at }),
  delete: ordered({ kind: 'delete' }),
};

/** A create of a tool, with a higher priority than that of `EVERY_KIND`: it raises an open alert (Q9). */
export function raise({ alertId, alias, at, identifier }: Target): AlertCommand {
  const alert = { priority: 'P1', ...(alias === '' && { alertId }) } as const;
  return { ...pagingCreate(alias, { at, hook: { preset: 'alertmanager' }, alert }), identifier };
}

/** An alert that commands name by its alias, or by its id if it has no alias of its own. */
export function target(alertId: string, alias: string, at: string): Target {
  return { identifier: alias === '' ? byId(alertId) : { type: 'alias', value: alias }, alertId, alias, at };
}
