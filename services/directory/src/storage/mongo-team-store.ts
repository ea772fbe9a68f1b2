import type { Connection, Model, QueryFilter } from 'mongoose';
import { ConflictError } from '@tocsin/errors';
import { isDuplicateKey, type Session } from '@tocsin/persistence';
import type { Reference } from '../domain/reference.ts';
import {
  activated,
  begun,
  leaving,
  routingUses,
  withNextVersion,
  type Activation,
  type ActivationOutcome,
  type RoutingUse,
  type Team,
  type TeamDraft,
  type TeamSummary,
} from '../domain/team.ts';
import { creationEntry } from '../domain/team-log.ts';
import type {
  TeamBeginning,
  TeamChange,
  TeamChangeOutcome,
  TeamLogLine,
  TeamLogPage,
  TeamStore,
} from '../ports/team-store.ts';
import type { ConfigurationWrites } from './configuration-writes.ts';
import { referenceFilter } from './reference-filter.ts';
import { teamFrom, teamModel, type TeamDocument } from './team-documents.ts';
import { teamsWithAny } from './mongo-states.ts';
import { MongoTeamLogs } from './mongo-team-logs.ts';
import { userModel, type UserDocument } from './user-documents.ts';

const SWEPT_AT_ONCE = 100;

export class MongoTeamStore implements TeamStore {
  readonly #teams: Model<TeamDocument>;
  readonly #users: Model<UserDocument>;
  readonly #logs: MongoTeamLogs;
  readonly #writes: ConfigurationWrites;

  constructor(connection: Connection, writes: ConfigurationWrites) {
    this.#teams = teamModel(connection);
    this.#users = userModel(connection);
    this.#logs = new MongoTeamLogs(connection);
    this.#writes = writes;
  }

  async begin(draft: TeamDraft): Promise<TeamBeginning> {
    return this.#writes.run(async (session) => {
      const beginning = begun(draft, await this.#one({ name: draft.name }, session));
      if (beginning.kind !== 'begun') return beginning;
      const userId = await this.#unknownMember(draft, session);
      if (userId !== undefined) return { kind: 'unknown-member', userId };
      await this.#enter(beginning.team, session);
      return beginning;
    });
  }

  async activate(id: string, attempt: string, change: Activation): Promise<ActivationOutcome> {
    return this.#writes.run(async (session) => {
      const team = await this.#one({ _id: id }, session);
      const whole = activated(team, attempt, change);
      if (typeof whole === 'string') return whole;
      if (whole !== team) {
        await this.#enter(whole, session);
        await this.#logs.append(whole, [creationEntry(whole)], session);
        await this.#writes.announcements.changed(session, [id]);
      }
      return 'active';
    });
  }

  async find(reference: Reference): Promise<Team | undefined> {
    return this.#one({ ...referenceFilter(reference), phase: 'active' });
  }

  withAny(key: 'id' | 'name', values: readonly string[]): Promise<readonly Team[]> {
    return teamsWithAny(this.#teams, key, values);
  }

  async findRemovable(reference: Reference): Promise<Team | undefined> {
    return this.#one({ ...referenceFilter(reference), phase: { $in: ['active', 'deleting'] } });
  }

  async list(): Promise<readonly TeamSummary[]> {
    const found = await this.#teams
      .find({ phase: 'active' }, { name: 1, description: 1 })
      .sort({ createdAt: 1, _id: 1 })
      .lean<Pick<TeamDocument, '_id' | 'name' | 'description'>[]>()
      .exec();
    return found.map(({ _id, name, description }) => ({ id: _id, name, description }));
  }

  async history(id: string, page: TeamLogPage): Promise<readonly TeamLogLine[]> {
    return this.#logs.read(id, page);
  }

  async routingUses(type: 'schedule' | 'escalation', id: string, exceptTeamId = ''): Promise<readonly RoutingUse[]> {
    const found = await this.#teams
      .find({ _id: { $ne: exceptTeamId }, phase: 'active', 'routingRules.notify.id': id })
      .sort({ createdAt: 1, _id: 1 })
      .lean<TeamDocument[]>()
      .exec();
    return found.flatMap((team) => routingUses(teamFrom(team), type, id));
  }

  async change<T>(reference: Reference, work: (team: Team) => TeamChange<T>): Promise<TeamChangeOutcome<T>> {
    let name = '';
    try {
      return await this.#writes.run(async (session) => {
        const team = await this.#one({ ...referenceFilter(reference), phase: 'active' }, session);
        if (team === undefined) return { kind: 'missing' };
        const { team: changed, log, answer } = work(team);
        if (changed === team) return { kind: 'changed', answer };
        const userId = await this.#unknownMember(changed, session);
        if (userId !== undefined) return { kind: 'unknown-member', userId };
        const next = withNextVersion(changed, team);
        const { name: newName, description, members, routingRules, roles, version } = next;
        name = newName;
        const fields = { name, description, members, routingRules, roles, version };
        await this.#teams.updateOne({ _id: team.id }, { $set: fields }, { session }).exec();
        await this.#logs.append(next, log, session);
        await this.#writes.announcements.changed(session, [team.id]);
        return { kind: 'changed', answer };
      });
    } catch (error) {
      if (!isDuplicateKey(error, 'name')) throw error;
      throw new ConflictError(`Team with name [${name}] already exists.`, { cause: error });
    }
  }

  async beginRemoval(id: string, attempt: string): Promise<boolean> {
    return this.#writes.run(async (session) => {
      const team = await this.#one({ _id: id }, session);
      const hidden = leaving(team, attempt);
      if (hidden === undefined) return false;
      await this.#enter(hidden, session);
      if (team?.phase === 'active') await this.#writes.announcements.deleted(session, id, hidden.version);
      return true;
    });
  }

  async endRemoval(id: string): Promise<void> {
    const leaving = { _id: id, phase: 'deleting' } as const;
    if ((await this.#one(leaving)) === undefined) return;
    await this.#logs.forget(id);
    await this.#teams.deleteOne(leaving).exec();
  }

  async unfinished(ageMs: number): Promise<readonly Team[]> {
    const found = await this.#teams
      .find({
        phase: { $in: ['creating', 'deleting'] },
        $expr: { $lte: ['$phaseAt', { $subtract: ['$$NOW', ageMs] }] },
      })
      .sort({ phaseAt: 1 })
      .limit(SWEPT_AT_ONCE)
      .lean<TeamDocument[]>()
      .exec();
    return found.map(teamFrom);
  }

  async #one(filter: QueryFilter<TeamDocument>, session?: Session): Promise<Team | undefined> {
    const found = await this.#teams
      .findOne(filter)
      .session(session ?? null)
      .lean<TeamDocument>()
      .exec();
    return found === null ? undefined : teamFrom(found);
  }

  /** A phase, or an attempt that takes it over, begins now by the database's clock. */
  async #enter({ id, defaults, ...rest }: Team, session: Session): Promise<void> {
    const fields = { ...rest, ...(defaults && { defaults }) };
    await this.#teams
      .updateOne({ _id: id }, { $set: fields, $currentDate: { phaseAt: true } }, { session, upsert: true })
      .exec();
  }

  async #unknownMember({ members }: Pick<Team, 'members'>, session: Session): Promise<string | undefined> {
    const ids = members.map(({ userId }) => userId);
    const known = new Set(
      (
        await this.#users
          .find({ _id: { $in: ids } }, { _id: 1 }, { session })
          .lean<{ _id: string }[]>()
          .exec()
      ).map((user) => user._id),
    );
    return ids.find((userId) => !known.has(userId));
  }
}
