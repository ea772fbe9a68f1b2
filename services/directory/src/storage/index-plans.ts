import { dueIndex, type IndexPlan } from '@tocsin/persistence';

export const USERS = 'users';
export const ROLES = 'roles';
export const TEAMS = 'teams';
export const TEAM_LOGS = 'teamLogs';
/** Copies of notification rules that are not done. */
export const PENDING_COPIES = 'pendingCopies';

/** The service's collections, and the query that each index serves. */
export const indexPlans: readonly IndexPlan[] = [
  {
    collection: USERS,
    keys: { username: 1 },
    options: { unique: true, name: 'username' },
    serves: 'one user for each user name (U1); reads by user name; lists sorted by it',
  },
  { collection: USERS, keys: { fullName: 1, _id: 1 }, serves: 'lists sorted by full name' },
  { collection: USERS, keys: { createdAt: 1, _id: 1 }, serves: 'lists sorted by creation, searches for it' },
  { collection: USERS, keys: { 'role.id': 1 }, serves: 'whether somebody else is an owner; who has a role' },
  { collection: USERS, keys: { 'search.fullName': 1, username: 1 }, serves: 'searches by full name' },
  { collection: USERS, keys: { 'search.role': 1, username: 1 }, serves: 'searches by the name of a role' },
  { collection: USERS, keys: { 'search.locale': 1, username: 1 }, serves: 'searches by locale' },
  { collection: USERS, keys: { 'search.timeZone': 1, username: 1 }, serves: 'searches by time zone' },
  { collection: USERS, keys: { 'search.userAddress': 1, username: 1 }, serves: 'searches by a part of the address' },
  { collection: USERS, keys: { blocked: 1, username: 1 }, serves: 'searches for who is blocked' },
  { collection: USERS, keys: { verified: 1, username: 1 }, serves: 'searches for who is verified' },
  {
    collection: ROLES,
    keys: { name: 1 },
    options: { unique: true, name: 'name' },
    serves: 'one role for each name (E14); reads by name',
  },
  { collection: ROLES, keys: { createdAt: 1, _id: 1 }, serves: 'the list of roles by creation' },
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
  dueIndex(PENDING_COPIES),
  { collection: TEAMS, keys: { 'routingRules.notify.id': 1 }, serves: 'what routes to a schedule or escalation' },
];
