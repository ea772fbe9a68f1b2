import type { Connection, mongo } from 'mongoose';
import { collectionOf, type Session } from '@tocsin/persistence';
import type { Team } from '../domain/team.ts';
import type { TeamLogEntry } from '../domain/team-log.ts';
import type { TeamLogLine, TeamLogPage } from '../ports/team-store.ts';
import { TEAM_LOGS } from './index-plans.ts';

interface TeamLogDocument extends TeamLogLine {
  readonly _id: string;
  readonly teamId: string;
}

/** The history of teams, written together with what it tells of. */
export class MongoTeamLogs {
  readonly #collection: mongo.Collection<TeamLogDocument>;

  constructor(connection: Connection) {
    this.#collection = collectionOf(connection, TEAM_LOGS);
  }

  async append(
    { id, version: { n } }: Pick<Team, 'id' | 'version'>,
    entries: readonly TeamLogEntry[],
    session: Session,
  ): Promise<void> {
    if (entries.length === 0) return;
    const documents = entries.map(({ owner, at, log }, line) => ({
      _id: `${id}/${n}/${line}`,
      teamId: id,
      n,
      line,
      owner,
      at,
      log,
    }));
    await this.#collection.insertMany(documents, { session });
  }

  async read(teamId: string, { order, limit, after }: TeamLogPage): Promise<readonly TeamLogLine[]> {
    const ascending = order === 'asc';
    const direction = ascending ? 1 : -1;
    // The version bounds the scan of the index; of the lines of that one change the earlier are passed over.
    const rest = after && {
      n: ascending ? { $gte: after.n } : { $lte: after.n },
      $nor: [{ n: after.n, line: ascending ? { $lte: after.line } : { $gte: after.line } }],
    };
    return this.#collection
      .find({ teamId, ...rest }, { projection: { _id: 0, teamId: 0 } })
      .sort({ n: direction, line: direction })
      .limit(limit)
      .toArray();
  }

  async forget(teamId: string): Promise<void> {
    await this.#collection.deleteMany({ teamId });
  }
}
