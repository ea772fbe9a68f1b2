import { MEDIUM_BODY, SMALL_BODY, type Operation } from './operation.ts';

const read = { right: 'read-configuration', domain: 'heartbeat', owner: 'heartbeat-monitor' } as const;
const write = { right: 'write-configuration', domain: 'heartbeat', owner: 'heartbeat-monitor' } as const;
/** The one heartbeat operation for keys without configuration access, with or without write access (K3). */
const ping = {
  right: 'read',
  domain: 'heartbeat',
  owner: 'heartbeat-monitor',
  path: '/v2/heartbeats/{heartbeatName}/ping',
  summary: 'Tells that a system is alive',
} as const;

const ALL = '/v2/heartbeats';
const ONE = '/v2/heartbeats/{heartbeatName}';

/** Part 1, 4.3 and wire facts 5. */
export const HEARTBEAT_OPERATIONS = [
  { ...ping, id: 'ping-heartbeat', method: 'GET' },
  { ...ping, ...SMALL_BODY, id: 'ping-heartbeat-by-post', method: 'POST' },
  { ...ping, ...SMALL_BODY, id: 'ping-heartbeat-by-put', method: 'PUT' },
  { ...ping, ...SMALL_BODY, id: 'ping-heartbeat-by-patch', method: 'PATCH' },
  { ...read, id: 'list-heartbeats', method: 'GET', path: ALL, summary: 'Lists heartbeats' },
  { ...write, ...MEDIUM_BODY, id: 'create-heartbeat', method: 'POST', path: ALL, summary: 'Creates a heartbeat' },
  { ...read, id: 'get-heartbeat', method: 'GET', path: ONE, summary: 'Reads a heartbeat' },
  { ...write, ...MEDIUM_BODY, id: 'update-heartbeat', method: 'PATCH', path: ONE, summary: 'Changes a heartbeat' },
  { ...write, ...SMALL_BODY, id: 'delete-heartbeat', method: 'DELETE', path: ONE, summary: 'Deletes a heartbeat' },
  {
    ...write,
    ...SMALL_BODY,
    id: 'enable-heartbeat',
    method: 'POST',
    path: `${ONE}/enable`,
    summary: 'Enables a heartbeat',
  },
  {
    ...write,
    ...SMALL_BODY,
    id: 'disable-heartbeat',
    method: 'POST',
    path: `${ONE}/disable`,
    summary: 'Disables a heartbeat',
  },
] as const satisfies readonly Operation[];
