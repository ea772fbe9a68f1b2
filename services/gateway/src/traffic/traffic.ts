import { isReadOnly, type Operation } from '@tocsin/api';
import type { Clock, TrafficCounter } from '@tocsin/core';
import type { Principal } from '@tocsin/http';
import type { ServerResponse } from 'node:http';

/** Whether the operation sends alerts: a create, and the requests of tools, which alone have their key elsewhere. */
const sendsAlerts = ({ id, keyPlaces }: Pick<Operation, 'id' | 'keyPlaces'>): boolean =>
  id === 'create-alert' || keyPlaces !== undefined;

/** Counts the request for the integration of its key, once its answer has begun (P21). Requests of people are not counted. */
export function countTraffic(
  { clock, traffic }: { readonly clock: Clock; readonly traffic: Pick<TrafficCounter, 'count'> },
  principal: Principal,
  operation: Pick<Operation, 'id' | 'keyPlaces' | 'method' | 'right'>,
  response: ServerResponse,
): void {
  if (principal.kind !== 'key') return;
  const { integrationId } = principal;
  response.once('close', () => {
    const { headersSent, statusCode } = response;
    if (!headersSent) return;
    const effect = sendsAlerts(operation) ? 'alert' : isReadOnly(operation) ? 'read' : 'write';
    const refusal = statusCode < 400 ? undefined : { status: statusCode, operation: operation.id };
    traffic.count({ integrationId, at: clock.now(), effect, refusal });
  });
}
