import type { AlertState } from '@tocsin/contracts';

/** An open alert of team Ops, for tests. */
export const diskFull: AlertState = {
  status: 'open',
  acknowledged: false,
  snoozed: false,
  cycle: 1,
  verdict: { kind: 'go' },
  flowStartedAt: '2026-01-01T00:00:00.000Z',
  flow: { version: 1, responders: 1, began: true },
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

/** {@link diskFull} with `change`, in a cycle that pages all of its responders and began with `version`. */
export function startedBy(version: number, change: Partial<AlertState> = {}): AlertState {
  const { responders } = { ...diskFull, ...change };
  return { ...diskFull, flow: { version, responders: responders.length, began: true }, ...change };
}
