import type { Connection, mongo } from 'mongoose';
import { collectionOf, type Session } from '@tocsin/persistence';
import type { Team } from '../domain/team.ts';
import type { TeamLogEntry } from '../ports/team-store.ts';
import { TEAM_LOGS } from './index-plans.ts';

/** One line of a team's history; `n` is the version that came of the change, `line` the place among its lines. */
interface TeamLogDocument extends TeamLogEntry {
  readonly _id: string;
  readonly teamId: string;
  readonly n: number;
  readonly line: number;
}

/** The history of teams, written together with what it tells of. */
export class MongoTeamLogs {
  readonly #collection: mongo.Collection<TeamLogDocument>;

  constructor(connection: Connection) {
    this.#collection = collectionOf(connection, TEAM_LOGS);
  }

  async append({ id, version: { n } }: Team, entries: readonly TeamLogEntry[], session: Session): Promise<void> {
    if (entries.length === 0) return;
    const documents = entries.map(({ owner, at, log }, line) => ({
      ...{ _id: `${id}/${n}/${line}`, teamId: id, n, line },
      ...{ owner, at, log },
    }));
    await this.#collection.insertMany(documents, { session });
  }
}
