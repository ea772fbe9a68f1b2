import { z } from 'zod';
import {
  AddTeamMemberBody,
  CreateTeamBody,
  TeamLogQuery,
  TeamPartQuery,
  TeamQuery,
  UpdateTeamBody,
} from '@tocsin/contracts';
import { Named, resultOf } from '../answers/shared.ts';
import { Team, TeamLogs, TeamSummary } from '../answers/teams.ts';
import type { Descriptions } from '../description.ts';
import { OF_TEAM, TEAM } from './paths.ts';

const id = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e20';
const ada = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e30', username: 'ada@example.com' };
const written = { id, name: 'Database' };
const described = { ...written, description: 'Keeps the databases running' };
const url = `https://tocsin.example.com/v2/teams/${id}`;

const path = z.object({ identifier: TEAM });
const memberPath = OF_TEAM.extend({
  memberIdentifier: z.string().min(1).meta({ description: 'The id or the user name of the member.' }),
});

/** Part 2, 4.1. */
export const TEAMS: Descriptions<
  | 'create-team'
  | 'list-teams'
  | 'get-team'
  | 'update-team'
  | 'delete-team'
  | 'list-team-logs'
  | 'add-team-member'
  | 'remove-team-member'
> = {
  'create-team': {
    description:
      'The team gets a schedule without rotations, an escalation and a default routing rule to that escalation (S11).',
    body: {
      schema: CreateTeamBody,
      example: {
        name: 'Database',
        description: 'Keeps the databases running',
        members: [{ user: { username: 'ada@example.com' }, role: 'admin' }],
      },
    },
    success: {
      status: 201,
      schema: resultOf('Created').extend({ data: Named }),
      example: { result: 'Created', data: written },
    },
    refusals: [404, 409],
  },
  'list-teams': {
    success: {
      status: 200,
      schema: z.object({ data: z.array(TeamSummary) }),
      example: { data: [{ ...described, links: { web: url, api: url } }] },
    },
  },
  'get-team': {
    path,
    query: TeamQuery,
    success: {
      status: 200,
      schema: z.object({ data: Team }),
      example: { data: { ...described, members: [{ user: ada, role: 'admin' }] } },
    },
    refusals: [404],
  },
  'update-team': {
    description: 'What the body leaves out stays as it is; `members` replaces the whole list.',
    path,
    query: TeamQuery,
    body: { schema: UpdateTeamBody, example: { name: 'Storage' } },
    success: {
      status: 200,
      schema: resultOf('Updated').extend({ data: Named }),
      example: { result: 'Updated', data: { id, name: 'Storage' } },
    },
    refusals: [404, 409],
  },
  'delete-team': {
    description:
      'Its routing rules, its default schedule and its default escalation go with it. Its integrations and policies are disabled; what else it owned belongs to nobody (S12, P18).',
    path,
    query: TeamQuery,
    success: { status: 200, schema: resultOf('Deleted'), example: { result: 'Deleted' } },
    refusals: [404, 428],
  },
  'list-team-logs': {
    path,
    query: TeamLogQuery,
    success: {
      status: 200,
      schema: z.object({ data: TeamLogs }),
      example: {
        data: {
          logs: [{ owner: 'Default API', createdDate: '2026-01-31T08:00:00Z', log: 'Team [Database] is created.' }],
        },
      },
    },
    refusals: [404],
  },
  'add-team-member': {
    description: 'A member who is named again gets the role of the body.',
    path: OF_TEAM,
    query: TeamPartQuery,
    body: { schema: AddTeamMemberBody, example: { user: { username: 'ada@example.com' }, role: 'user' } },
    success: {
      status: 200,
      schema: resultOf('Added').extend({ data: Named }),
      example: { result: 'Added', data: written },
    },
    refusals: [404],
  },
  'remove-team-member': {
    description: 'The user stays in the rotations of the team.',
    path: memberPath,
    query: TeamPartQuery,
    success: {
      status: 200,
      schema: resultOf('Removed').extend({ data: Named }),
      example: { result: 'Removed', data: written },
    },
    refusals: [404],
  },
};
