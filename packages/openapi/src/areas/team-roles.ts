import { z } from 'zod';
import { CreateTeamRoleBody, TeamPartQuery, TeamRoleQuery, UpdateTeamRoleBody } from '@tocsin/contracts';
import { Named } from '../answers/shared.ts';
import { TeamRole } from '../answers/teams.ts';
import { area } from '../description.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { OF_TEAM } from './paths.ts';

const written = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e22', name: 'Schedule editor' };
const rights = [{ right: 'edit-schedules', granted: true }];
const role = { ...written, rights };

/** Wire facts 5. */
export const TEAM_ROLES = area({
  'create-team-role': {
    description: 'Rights are kept as they are written. A team has at most 100 roles beside `user` and `admin`.',
    path: OF_TEAM,
    query: TeamPartQuery,
    body: { schema: CreateTeamRoleBody, example: { name: 'Schedule editor', rights } },
    success: createdAnswer(Named, written),
    refusals: [404, 409],
  },
  'list-team-roles': {
    description: 'Without the roles `user` and `admin`, which every team has.',
    path: OF_TEAM,
    query: TeamPartQuery,
    success: dataAnswer(z.array(TeamRole), [role]),
    refusals: [404],
  },
  'get-team-role': {
    path: OF_TEAM,
    query: TeamRoleQuery,
    success: dataAnswer(TeamRole, role),
    refusals: [404],
  },
  'update-team-role': {
    description: 'What the body leaves out stays as it is; `rights` replaces the whole list.',
    path: OF_TEAM,
    query: TeamRoleQuery,
    body: { schema: UpdateTeamRoleBody, example: { name: 'Planner' } },
    success: changedAnswer('Updated', Named, { ...written, name: 'Planner' }),
    refusals: [404, 409],
  },
  'delete-team-role': {
    path: OF_TEAM,
    query: TeamRoleQuery,
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
});
