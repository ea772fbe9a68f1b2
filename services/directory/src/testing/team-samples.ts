import { activation, type Team } from '../teams/team.ts';

/** A whole team called Ops, without members. */
export const sampleTeam = (changes: Partial<Team> = {}): Team => ({
  id: 'ops',
  name: 'Ops',
  description: '',
  members: [],
  ...activation({ scheduleId: 's', escalationId: 'e' }, 'rule', 'Europe/Rome'),
  roles: [],
  phase: 'active',
  attempt: 'first',
  createdBy: 'Default API',
  createdAt: new Date('2026-01-01T00:00:00Z'),
  version: { epoch: 1, n: 1 },
  ...changes,
});
