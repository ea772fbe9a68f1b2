import { z } from 'zod';
import { CreateTeamRoleBody, TeamPartQuery, TeamRoleQuery, UpdateTeamRoleBody } from '@tocsin/contracts';
import { Named, resultOf } from '../answers/shared.ts';
import { TeamRole } from '../answers/teams.ts';
import type { Descriptions } from '../description.ts';
import { OF_TEAM } from './paths.ts';

const written = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e22', name: 'Schedule editor' };
const rights = [{ right: 'edit-schedules', granted: true }];
const role = { ...written, rights };

/** Wire facts 5. */
export const TEAM_ROLES: Descriptions<
  'create-team-role' | 'list-team-roles' | 'get-team-role' | 'update-team-role' | 'delete-team-role'
> = {
  'create-team-role': {
    description: 'Rights are kept as they are written. A team has at most 100 roles beside `user` and `admin`.',
    path: OF_TEAM,
    query: TeamPartQuery,
    body: { schema: CreateTeamRoleBody, example: { name: 'Schedule editor', rights } },
    success: {
      status: 201,
      schema: resultOf('Created').extend({ data: Named }),
      example: { result: 'Created', data: written },
    },
    refusals: [404, 409],
  },
  'list-team-roles': {
    description: 'Without the roles `user` and `admin`, which every team has.',
    path: OF_TEAM,
    query: TeamPartQuery,
    success: { status: 200, schema: z.object({ data: z.array(TeamRole) }), example: { data: [role] } },
    refusals: [404],
  },
  'get-team-role': {
    path: OF_TEAM,
    query: TeamRoleQuery,
    success: { status: 200, schema: z.object({ data: TeamRole }), example: { data: role } },
    refusals: [404],
  },
  'update-team-role': {
    description: 'What the body leaves out stays as it is; `rights` replaces the whole list.',
    path: OF_TEAM,
    query: TeamRoleQuery,
    body: { schema: UpdateTeamRoleBody, example: { name: 'Planner' } },
    success: {
      status: 200,
      schema: resultOf('Updated').extend({ data: Named }),
      example: { result: 'Updated', data: { ...written, name: 'Planner' } },
    },
    refusals: [404, 409],
  },
  'delete-team-role': {
    path: OF_TEAM,
    query: TeamRoleQuery,
    success: { status: 200, schema: resultOf('Deleted'), example: { result: 'Deleted' } },
    refusals: [404],
  },
};
