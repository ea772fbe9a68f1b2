import type { Connection, Model } from 'mongoose';
import type { StateMessage, TeamState, UserState } from '@tocsin/contracts';
import { readOptions, type Session, type StateSource } from '@tocsin/persistence';
import { teamMessage, type Team } from '../domain/team.ts';
import { userMessage, type User } from '../domain/user.ts';
import { teamFrom, teamModel, type TeamDocument } from './team-documents.ts';
import { userFrom, userModel, type UserDocument } from './user-documents.ts';

export function userSource(connection: Connection): StateSource<UserState> {
  const users = userModel(connection);
  return {
    load: async (ids, session) => byId((await usersWithAny(users, 'id', ids, session)).map(userMessage)),
    ids: async function* () {
      for await (const { _id } of users.find({}, { _id: 1 }).lean<{ _id: string }>().cursor()) yield _id;
    },
  };
}

/** Only active teams. */
export function teamSource(connection: Connection): StateSource<TeamState> {
  const teams = teamModel(connection);
  return {
    load: async (ids, session) => byId((await teamsWithAny(teams, 'id', ids, session)).map(teamMessage)),
    ids: async function* () {
      for await (const { _id } of teams.find({ phase: 'active' }, { _id: 1 }).lean<{ _id: string }>().cursor())
        yield _id;
    },
  };
}

const byId = <T>(messages: readonly StateMessage<T>[]) => new Map(messages.map((message) => [message.id, message]));

/** Users with one of `values` as their `key`, as the transaction of `session` sees them. */
export async function usersWithAny(
  users: Model<UserDocument>,
  key: 'id' | 'username',
  values: readonly string[],
  session?: Session,
): Promise<readonly User[]> {
  const wanted = { $in: [...values] };
  const found = await users
    .find(key === 'id' ? { _id: wanted } : { username: wanted })
    .setOptions(readOptions(session))
    .lean<UserDocument[]>()
    .exec();
  return found.map(userFrom);
}

/** Active teams with one of `values` as their `key`, as the transaction of `session` sees them. */
export async function teamsWithAny(
  teams: Model<TeamDocument>,
  key: 'id' | 'name',
  values: readonly string[],
  session?: Session,
): Promise<readonly Team[]> {
  const wanted = { $in: [...values] };
  const found = await teams
    .find({ ...(key === 'id' ? { _id: wanted } : { name: wanted }), phase: 'active' })
    .setOptions(readOptions(session))
    .lean<TeamDocument[]>()
    .exec();
  return found.map(teamFrom);
}
