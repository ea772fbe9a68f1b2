import { collectionOf, type Connection, type IndexPlan, type Session } from '@tocsin/mongo';
import type { TeamLogEntry, TeamLogPosition } from './team-log.ts';
import type { Team } from './team.ts';

const TEAM_LOGS = 'teamLogs';

export const teamLogIndexes: readonly IndexPlan[] = [
  { collection: TEAM_LOGS, keys: { teamId: 1, n: 1, line: 1 }, serves: 'the history of a team, in either order' },
];

export interface TeamLogPage {
  readonly order: 'asc' | 'desc';
  /** At least 1. */
  readonly limit: number;
  /** Exclusive. */
  readonly after: TeamLogPosition | undefined;
}

export type TeamLogLine = TeamLogEntry & TeamLogPosition;

interface TeamLogDocument extends TeamLogLine {
  readonly _id: string;
  readonly teamId: string;
}

/** The histories of teams. A line is written in the transaction of the change that it describes. */
export class TeamLogStore {
  readonly #collection;

  constructor(connection: Connection) {
    this.#collection = collectionOf<TeamLogDocument>(connection, TEAM_LOGS);
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
