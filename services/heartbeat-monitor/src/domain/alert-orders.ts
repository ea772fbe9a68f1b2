import { ALERT_LIMITS, type AlertCommand } from '@tocsin/contracts';
import { shortened } from '@tocsin/rules';
import type { Heartbeat } from './heartbeat.ts';

/** Who opens and closes the alerts of heartbeats, as their log says. */
const ACTOR = 'Heartbeat';

/** The alias of the alerts of a heartbeat (H1). */
const aliasOf = ({ name }: Pick<Heartbeat, 'name'>): string => `heartbeat:${name}`;

/**
 * The command that one step of a heartbeat is, the same however often it is made: an odd one opens its alert, an even one
 * closes it. All commands of a heartbeat have one alias, and so one key, by which they are settled in order. `alertId` is that of
 * the alert that an odd step opens.
 */
export function orderOf(heartbeat: Heartbeat, step: number, alertId: string): AlertCommand {
  const { createdBy, id, steppedAt, createdAt } = heartbeat;
  const { ownerTeamId, ...integration } = createdBy;
  const common = {
    requestId: `heartbeat:${id}:${step}`,
    identifier: { type: 'alias', value: aliasOf(heartbeat) },
    integration: { ...integration, ...(ownerTeamId !== undefined && { ownerTeamId }) },
    actor: ACTOR,
    source: ACTOR,
    // Where several steps wait to be published, only the moment of the last one is known.
    acceptedAt: (steppedAt ?? createdAt).toISOString(),
  } as const;
  if (step % 2 === 0) return { kind: 'close', ...common };
  return { kind: 'create', ...common, ofHeartbeat: true, alert: alertOf(heartbeat, alertId) };
}

function alertOf(heartbeat: Heartbeat, alertId: string) {
  const { alertMessage, alertPriority, alertTags, name, ownerTeamId } = heartbeat;
  return {
    alertId,
    alias: aliasOf(heartbeat),
    message: alertMessage ?? defaultMessage(name),
    description: '',
    responders: ownerTeamId === undefined ? [] : [{ type: 'team' as const, id: ownerTeamId }],
    visibleTo: [],
    actions: [],
    tags: [...alertTags],
    details: {},
    entity: '',
    priority: alertPriority ?? 'P3',
  };
}

/** A name that is too long for a message is cut, so that what happened still stands there. */
function defaultMessage(name: string): string {
  const end = ' is expired';
  return shortened(name, ALERT_LIMITS.message - end.length) + end;
}
