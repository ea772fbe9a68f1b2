import type { AlertState } from '@tocsin/events';

/** An open alert of team Ops, for tests. */
export const diskFull: AlertState = {
  status: 'open',
  acknowledged: false,
  snoozed: false,
  cycle: 1,
  notifications: { kind: 'active' },
  flowStartedAt: '2026-01-01T00:00:00.000Z',
  flow: { responders: 1 },
  tinyId: '1',
  alias: 'disk-full',
  message: 'Disk full',
  description: '',
  source: '10.0.0.1',
  entity: '',
  priority: 'P3',
  owner: '',
  tags: [],
  actions: [],
  details: {},
  responders: [{ type: 'team', id: 'ops' }],
  integration: { id: 'i1', name: 'Default API', type: 'API' },
  createdAt: '2026-01-01T00:00:00.000Z',
};

/** {@link diskFull} with `change`, in a cycle that pages all of its responders. */
export function openAlert(change: Partial<AlertState> = {}): AlertState {
  const { responders } = { ...diskFull, ...change };
  return { ...diskFull, flow: { responders: responders.length }, ...change };
}
