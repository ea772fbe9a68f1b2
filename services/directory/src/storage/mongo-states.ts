import type { Connection } from 'mongoose';
import type { StateMessage, TeamState, UserState } from '@tocsin/contracts';
import type { StateSource } from '@tocsin/persistence';
import { teamMessage } from '../domain/team.ts';
import { userMessage } from '../domain/user.ts';
import { teamFrom, teamModel, type TeamDocument } from './team-documents.ts';
import { userFrom, userModel, type UserDocument } from './user-documents.ts';

export function userStates(connection: Connection): StateSource<UserState> {
  const users = userModel(connection);
  return {
    load: async (ids) => {
      const found = await users
        .find({ _id: { $in: ids } })
        .lean<UserDocument[]>()
        .exec();
      return byId(found.map((user) => userMessage(userFrom(user))));
    },
    ids: async function* () {
      for await (const { _id } of users.find({}, { _id: 1 }).lean<{ _id: string }>().cursor()) yield _id;
    },
  };
}

/** Only active teams. */
export function teamStates(connection: Connection): StateSource<TeamState> {
  const teams = teamModel(connection);
  return {
    load: async (ids) => {
      const found = await teams
        .find({ _id: { $in: ids }, phase: 'active' })
        .lean<TeamDocument[]>()
        .exec();
      return byId(found.map((team) => teamMessage(teamFrom(team))));
    },
    ids: async function* () {
      for await (const { _id } of teams.find({ phase: 'active' }, { _id: 1 }).lean<{ _id: string }>().cursor())
        yield _id;
    },
  };
}

const byId = <T>(messages: readonly StateMessage<T>[]) => new Map(messages.map((message) => [message.id, message]));
