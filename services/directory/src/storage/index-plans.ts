import type { IndexPlan } from '@tocsin/persistence';

export const USERS = 'users';
export const TEAMS = 'teams';
export const TEAM_LOGS = 'teamLogs';

/** The service's collections, and the query that each index serves. */
export const indexPlans: readonly IndexPlan[] = [
  {
    collection: USERS,
    keys: { username: 1 },
    options: { unique: true, name: 'username' },
    serves: 'one user for each user name (U1); reads by user name; lists sorted by it',
  },
  { collection: USERS, keys: { fullName: 1, _id: 1 }, serves: 'lists sorted by full name' },
  { collection: USERS, keys: { createdAt: 1, _id: 1 }, serves: 'lists sorted by creation' },
  { collection: USERS, keys: { 'role.id': 1 }, serves: 'whether somebody else is an owner' },
  {
    collection: TEAMS,
    keys: { name: 1 },
    options: { unique: true, name: 'name' },
    serves: 'one team for each name (E14); reads by name',
  },
  { collection: TEAMS, keys: { phase: 1, createdAt: 1, _id: 1 }, serves: 'the list of teams by creation' },
  { collection: TEAMS, keys: { phase: 1, phaseAt: 1 }, serves: 'the sweep of half-done teams, oldest first' },
  { collection: TEAMS, keys: { 'members.userId': 1 }, serves: 'the teams of a user' },
  { collection: TEAM_LOGS, keys: { teamId: 1, n: 1, line: 1 }, serves: 'the history of a team, in either order' },
  { collection: TEAMS, keys: { 'routingRules.notify.id': 1 }, serves: 'what routes to a schedule or escalation' },
];
