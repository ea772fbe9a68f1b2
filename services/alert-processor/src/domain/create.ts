import type { CreateAlert, Verdict } from '@tocsin/contracts';
import { flowStart, type Alert } from './alert.ts';
import { acceptedAt, factOf, via, type DecisionContext, type Decided } from './decided.ts';
import { SYSTEM, type Writing } from './history.ts';
import { named, quiet, sortedOut, type SortedOut } from './responders.ts';

const CREATED = 'Created alert';

/** How many repeats of an alert its log keeps; the count has no ceiling (A2). */
const LOGGED_REPEATS = 100;

/** A create with nothing open under its alias: a new alert whose flow starts at once, unless it is suppressed (A1, A3, P11). */
export function created(command: CreateAlert, { resolve, tinyId }: DecisionContext): Decided {
  const responders = sortedOut(command.alert.responders, resolve);
  const visibleTo = sortedOut(command.alert.visibleTo, resolve);
  const alert = newAlert(command, tinyId, responders, visibleTo);
  const { note, actor: owner } = command;
  return {
    kind: 'changed',
    status: CREATED,
    change: {
      kind: 'created',
      alert,
      at: acceptedAt(command),
      requestId: command.requestId,
      logs: firstEntries(command, responders, visibleTo),
      note: note === undefined ? undefined : { note, owner },
    },
    fact: factOf(command, 'created'),
  };
}

function newAlert(command: CreateAlert, tinyId: number, responders: SortedOut, visibleTo: SortedOut): Alert {
  const { alert, integration, source } = command;
  const at = acceptedAt(command);
  const { alertId: id, message, description, actions, tags, details, entity, priority } = alert;
  const unreachable = responders.unreachable.length + visibleTo.unreachable.length > 0;
  const flowing = { responders: responders.known, verdict: verdictOn(alert), snoozed: false };
  return {
    id,
    tinyId,
    message,
    description,
    actions,
    tags,
    details,
    entity,
    priority,
    source,
    alias: aliasOf(command),
    status: 'open',
    acknowledged: false,
    seen: false,
    snoozedUntil: undefined,
    count: 1,
    owner: '',
    report: undefined,
    ...flowing,
    visibleTo: visibleTo.known,
    unresolved: unreachable
      ? { responders: responders.unreachable, visibleTo: visibleTo.unreachable, attempt: 1, fence: 1 }
      : undefined,
    ownerTeamId: integration.ownerTeamId,
    integration: { id: integration.id, name: integration.name, type: integration.type },
    createdAt: at,
    updatedAt: at,
    lastOccurredAt: at,
    cycle: 1,
    flowStartedAt: at,
    flow: flowStart(flowing, 1),
    version: 1,
    lastPosition: undefined,
  };
}

function verdictOn({ suppressed }: CreateAlert['alert']): Verdict {
  return suppressed === undefined ? { kind: 'go' } : { kind: 'suppressed', reason: suppressed };
}

/** The alias that a create counts under: its own, or else the id of the alert that it would make (A1). */
export function aliasOf({ alert }: CreateAlert): string {
  return alert.alias === '' ? alert.alertId : alert.alias;
}

function firstEntries(command: CreateAlert, responders: SortedOut, visibleTo: SortedOut): Writing['logs'] {
  const unknown = [...responders.unknown, ...visibleTo.unknown];
  const unreachable = [...responders.unreachable, ...visibleTo.unreachable];
  const said = [
    ...(command.alert.remarks ?? []),
    ...(command.alert.suppressed === undefined ? [] : [quiet(command.alert.suppressed)]),
    ...(unknown.length === 0 ? [] : [`Unknown responders, left out: ${named(unknown)}`]),
    ...(unreachable.length === 0 ? [] : [`Could not look up, will be tried again: ${named(unreachable)}`]),
  ];
  // Part of the first entry, because most alerts of a busy installation are like that.
  const nobody =
    responders.known.length + responders.unreachable.length === 0 ? '; it has no responders: nobody is paged' : '';
  return [
    { log: `Alert created ${via(command, 'Create Alert')}${nobody}`, type: 'alertAction', owner: command.actor },
    ...said.map((log) => ({ log, type: 'system', owner: SYSTEM }) as const),
  ];
}

/** A create whose alias is open: it counts, and nothing else of the alert changes (A2). */
export function repeated(alert: Alert, command: CreateAlert): Decided {
  const log = `Alert repeated, count ${String(alert.count + 1)}, ${via(command, 'Create Alert')}`;
  const logged = alert.count <= LOGGED_REPEATS;
  return {
    kind: 'changed',
    status: CREATED,
    change: {
      kind: 'repeated',
      at: acceptedAt(command),
      requestId: command.requestId,
      logs: logged ? [{ log, type: 'alertAction', owner: command.actor }] : [],
    },
    fact: undefined,
  };
}
