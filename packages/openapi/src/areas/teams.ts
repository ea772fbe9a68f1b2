import { z } from 'zod';
import {
  AddTeamMemberBody,
  CreateTeamBody,
  TeamLogQuery,
  TeamPartQuery,
  TeamQuery,
  UpdateTeamBody,
} from '@tocsin/contracts';
import { Named } from '../answers/shared.ts';
import { Team, TeamLogs, TeamSummary } from '../answers/teams.ts';
import { area } from '../description.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
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
export const TEAMS = area({
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
    success: createdAnswer(Named, written),
    refusals: [404, 409],
  },
  'list-teams': {
    success: dataAnswer(z.array(TeamSummary), [{ ...described, links: { web: url, api: url } }]),
  },
  'get-team': {
    path,
    query: TeamQuery,
    success: dataAnswer(Team, { ...described, members: [{ user: ada, role: 'admin' }] }),
    refusals: [404],
  },
  'update-team': {
    description: 'What the body leaves out stays as it is; `members` replaces the whole list.',
    path,
    query: TeamQuery,
    body: { schema: UpdateTeamBody, example: { name: 'Storage' } },
    success: changedAnswer('Updated', Named, { id, name: 'Storage' }),
    refusals: [404, 409],
  },
  'delete-team': {
    description:
      'Its routing rules, its default schedule and its default escalation are deleted with it. Its integrations and policies are disabled; all else that it owned has no owner (S12, P18).',
    path,
    query: TeamQuery,
    success: doneAnswer('Deleted'),
    refusals: [404, 428],
  },
  'list-team-logs': {
    path,
    query: TeamLogQuery,
    success: dataAnswer(TeamLogs, {
      logs: [{ owner: 'Default API', createdDate: '2026-01-31T08:00:00Z', log: 'Team [Database] is created.' }],
    }),
    refusals: [404],
  },
  'add-team-member': {
    description: 'A user who is a member already gets the role of the body.',
    path: OF_TEAM,
    query: TeamPartQuery,
    body: { schema: AddTeamMemberBody, example: { user: { username: 'ada@example.com' }, role: 'user' } },
    success: changedAnswer('Added', Named, written),
    refusals: [404],
  },
  'remove-team-member': {
    description: 'The user stays in the rotations of the team.',
    path: memberPath,
    query: TeamPartQuery,
    success: changedAnswer('Removed', Named, written),
    refusals: [404],
  },
});
