import { CreateHeartbeatBody, type OperationId, UpdateHeartbeatBody } from '@tocsin/api';
import { formatInstant } from '@tocsin/events';
import { defineRoute, importedAs, type Route } from '@tocsin/http';
import { type Heartbeat, isExpired } from './heartbeat.ts';
import type { Heartbeats, HeartbeatWithTeam } from './operations.ts';

/** `/v2/heartbeats` (part 1, 4.3; wire facts 5 and 6.4). */
export function heartbeatRoutes(heartbeats: Heartbeats): readonly Route[] {
  return [
    ...PINGS.map((operation) => pingRoute(operation, heartbeats)),
    defineRoute({
      operation: 'list-heartbeats',
      handle: async ({ principal }) => {
        const listed = await heartbeats.list(principal);
        return { body: { data: { heartbeats: listed.values().map(heartbeatView) } } };
      },
    }),
    defineRoute({
      operation: 'create-heartbeat',
      body: CreateHeartbeatBody,
      handle: async ({ body, principal }) => {
        const created = await heartbeats.create(body, principal);
        return { status: 201, body: { result: 'Created', data: heartbeatView(created) } };
      },
    }),
    defineRoute({
      operation: 'get-heartbeat',
      handle: async ({ params, principal }) => {
        const found = await heartbeats.get(nameIn(params), principal);
        return { body: { data: heartbeatView(found) } };
      },
    }),
    defineRoute({
      operation: 'update-heartbeat',
      body: UpdateHeartbeatBody,
      handle: async ({ params, body, principal }) =>
        written('Updated', await heartbeats.update(nameIn(params), body, principal)),
    }),
    defineRoute({
      operation: 'delete-heartbeat',
      handle: async ({ params, principal }) => {
        await heartbeats.delete(nameIn(params), principal);
        return { body: { result: 'Deleted' } };
      },
    }),
    defineRoute({
      operation: 'enable-heartbeat',
      handle: async ({ params, principal }) => written('Enabled', await heartbeats.enable(nameIn(params), principal)),
    }),
    defineRoute({
      operation: 'disable-heartbeat',
      handle: async ({ params, principal }) => written('Disabled', await heartbeats.disable(nameIn(params), principal)),
    }),
    defineRoute({
      operation: 'import-heartbeat',
      body: CreateHeartbeatBody,
      handle: async ({ params, body, principal }) => {
        const name = nameIn(params);
        return { body: { result: importedAs(await heartbeats.put(name, body, principal)), data: { name } } };
      },
    }),
  ];
}

const PINGS = [
  'ping-heartbeat',
  'ping-heartbeat-by-post',
  'ping-heartbeat-by-put',
  'ping-heartbeat-by-patch',
] as const satisfies readonly OperationId[];

/** Its body is never read: senders put anything there. */
const pingRoute = (operation: (typeof PINGS)[number], heartbeats: Heartbeats): Route =>
  defineRoute({
    operation,
    handle: async ({ params, principal }) => {
      await heartbeats.ping(nameIn(params), principal);
      return { status: 202, body: { result: 'PONG - Heartbeat received' } };
    },
  });

const nameIn = (params: Readonly<Record<string, string>>): string => params['heartbeatName'] ?? '';

const written = (result: string, heartbeat: Heartbeat) => {
  const { name, enabled } = heartbeat;
  return { body: { result, data: { name, enabled, expired: isExpired(heartbeat) } } };
};

/** Fields that were never written are left out, so that clients that keep what they wrote see no change. */
function heartbeatView(heartbeat: HeartbeatWithTeam) {
  const { alertMessage, alertPriority, lastPingAt, ownerTeam } = heartbeat;
  return {
    name: heartbeat.name,
    description: heartbeat.description,
    interval: heartbeat.interval,
    intervalUnit: heartbeat.intervalUnit,
    enabled: heartbeat.enabled,
    expired: isExpired(heartbeat),
    ...(lastPingAt && { lastPingTime: formatInstant(lastPingAt) }),
    ...(ownerTeam && { ownerTeam }),
    ...(alertMessage !== undefined && { alertMessage }),
    alertTags: heartbeat.alertTags,
    ...(alertPriority && { alertPriority }),
  };
}
