import { ChangeRoutingRuleOrderBody, CreateRoutingRuleBody, UpdateRoutingRuleBody } from './resources/routing-rules.ts';
import { CreateTeamRoleBody } from './resources/team-roles.ts';
import { AddTeamMemberBody, CreateTeamBody, TeamLogQuery, UpdateTeamBody } from './resources/teams.ts';
import { describeJsonSchemas, type ReadSchemas } from './testing/json-schemas.ts';

const ada = { user: { username: 'ada@example.com' } };
const team = (fields: object) => ({ name: 'Database', ...fields });
const rule = (fields: object) => ({ notify: { type: 'none' }, ...fields });
const role = (...rights: readonly unknown[]) => ({ name: 'Planner', rights });

/** Values that a body or a query takes, and values that it refuses. */
const SCHEMAS: ReadSchemas = {
  'new team': [
    CreateTeamBody,
    [
      team({}),
      team({ name: 'é'.repeat(100), description: '', members: [] }),
      team({ description: null, members: null }),
      team({ members: [ada, { user: {} }, { user: null, role: 'none' }, { user: { id: '', username: null } }] }),
    ],
    [
      {},
      { name: '' },
      { name: ' ' },
      { name: 'n'.repeat(101) },
      team({ description: 'd'.repeat(201) }),
      team({ members: {} }),
      team({ members: [{}] }),
      team({ members: [{ user: [] }] }),
      team({ members: [{ user: { id: 7 } }] }),
      team({ members: [{ ...ada, role: 'boss' }] }),
    ],
  ],
  'changes of a team': [
    UpdateTeamBody,
    [{}, { name: '' }, { name: null, members: [ada] }],
    [{ name: ' ' }, { members: [{}] }],
  ],
  'new member': [
    AddTeamMemberBody,
    [ada, { ...ada, role: 'admin' }, { user: { id: 'ada', username: '' }, role: null }],
    [{}, { user: {} }, { user: null }, { user: { id: '' } }, { user: { name: 'Ada' } }, { ...ada, role: '' }],
  ],
  history: [
    TeamLogQuery,
    [{}, { offset: '' }, { offset: '12-0', limit: 1, order: 'asc' }],
    [{ order: 'up' }, { limit: 101 }],
  ],
  'role of a team': [
    CreateTeamRoleBody,
    [{ name: 'Planner' }, role(), role({ right: 'edit-schedules', granted: 'true' })],
    [{}, role({ right: '', granted: true }), role({ right: 'edit-schedules' }), role('edit-schedules')],
  ],
  'new routing rule': [
    CreateRoutingRuleBody,
    [
      rule({}),
      rule({ name: '', order: 0, timezone: 'Europe/Rome', criteria: null, timeRestriction: {} }),
      { notify: { type: 'schedule', name: 'Nights' } },
      { notify: { type: 'escalation', id: 'a' } },
    ],
    [
      {},
      { notify: null },
      { notify: { type: 'schedule' } },
      { notify: { type: 'team', id: 'a' } },
      rule({ order: -1 }),
      rule({ order: 0.5 }),
      rule({ timezone: 'Mars' }),
      rule({ timeRestriction: { type: 'time-of-day' } }),
      rule({ criteria: { type: 'match-some' } }),
    ],
  ],
  'changes of a routing rule': [
    UpdateRoutingRuleBody,
    [{}, { name: '', notify: null }],
    [{ notify: { type: 'schedule' } }],
  ],
  place: [
    ChangeRoutingRuleOrderBody,
    [{}, { order: null }, { order: 3 }, { order: '3' }],
    [{ order: -1 }, { order: 'x' }],
  ],
};

describeJsonSchemas(SCHEMAS);
