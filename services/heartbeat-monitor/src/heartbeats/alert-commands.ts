import { ALERT_LIMITS, type AlertCommand } from '@tocsin/events';
import { shortened } from '@tocsin/rules';
import { isExpired, type Heartbeat } from './heartbeat.ts';

/** The actor that the log of an alert names. */
const ACTOR = 'Heartbeat';

/** The alias of the alerts of a heartbeat (H1). */
const aliasOf = ({ name }: Pick<Heartbeat, 'name'>): string => `heartbeat:${name}`;

/** A UUID of a step of a heartbeat, the same each time. */
export type AlertIdOf = (heartbeatId: string, step: number) => string;

/**
 * The command by which a change of a heartbeat opens or closes its alert; undefined where it does neither. Its request id is made of
 * the heartbeat's id and the number of the step, so a repeat has no effect. All commands of a heartbeat have one alias, and so one
 * key, by which alert-processor processes them in order.
 */
export function alertCommand(before: Heartbeat, after: Heartbeat, alertIdOf: AlertIdOf): AlertCommand | undefined {
  if (after.step === before.step) return undefined;
  const { createdBy, id, step, steppedAt, createdAt } = after;
  const { ownerTeamId, ...integration } = createdBy;
  const common = {
    requestId: `heartbeat:${id}:${step}`,
    identifier: { type: 'alias', value: aliasOf(after) },
    integration: { ...integration, ...(ownerTeamId !== undefined && { ownerTeamId }) },
    actor: ACTOR,
    source: ACTOR,
    acceptedAt: (steppedAt ?? createdAt).toISOString(),
  } as const;
  if (!isExpired(after)) return { kind: 'close', ...common };
  return { kind: 'create', ...common, ofHeartbeat: true, alert: alertOf(after, alertIdOf(id, step)) };
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

/** A name that is too long for a message is cut. */
function defaultMessage(name: string): string {
  const end = ' is expired';
  return shortened(name, ALERT_LIMITS.message - end.length) + end;
}
