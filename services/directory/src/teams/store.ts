import { ConflictError, flatMapInSteps, type Put } from '@tocsin/core';
import type { TeamState } from '@tocsin/events';
import {
  type AnnouncedKind,
  changeConfiguration,
  collectionOf,
  type ConfigurationCollection,
  type Connection,
  type IndexPlan,
  orUnavailable,
  type Session,
  type Stored,
  withMissing,
} from '@tocsin/mongo';
import { type Reference, referenceFilter } from '../references/reference.ts';
import type { User } from '../users/user.ts';
import { type TeamLogLine, type TeamLogPage, TeamLogStore } from './log-store.ts';
import { creationEntry, type TeamLogEntry } from './team-log.ts';
import {
  activateTeam,
  type Activation,
  type ActivationOutcome,
  beginDeletion,
  begun,
  type BegunTeam,
  type RoutedTeam,
  type RoutingUse,
  routingUses,
  type Team,
  type TeamDraft,
  teamMessage,
  type TeamSummary,
  withNextVersion,
} from './team.ts';

export const TEAMS = 'teams';

/** Routing rules are stored as JSON: decoding the most rules of a team from BSON would block the event loop for 30 ms. */
type TeamDocument = Omit<Stored<Team>, 'routingRules'> & {
  readonly routingRules: string;
  /** The routing rules that notify a schedule or an escalation, to find and read them without all their conditions. */
  readonly notifying: RoutedTeam['routingRules'];
  /** The ids of the routing rules. */
  readonly ruleIds: readonly string[];
  /** When the team began to be created or deleted, or was taken over, by the database's clock. Absent once it is active. */
  readonly phaseAt?: Date;
};

export const TEAM: AnnouncedKind<Team, TeamState, TeamDocument> = {
  collection: TEAMS,
  conflict: ({ name }) => `Team with name [${name}] already exists.`,
  read: ({ _id: id, notifying: _, phaseAt: __, ruleIds: ___, routingRules, ...rest }) => ({
    ...withMissing({ defaults: undefined }, rest),
    id,
    routingRules: JSON.parse(routingRules) as Team['routingRules'],
  }),
  write: ({ id, routingRules, ...rest }) => ({
    _id: id,
    ...rest,
    routingRules: JSON.stringify(routingRules),
    ruleIds: routingRules.map((rule) => rule.id),
    notifying: routingRules.flatMap(({ name, notify, order }) => ('id' in notify ? [{ name, notify, order }] : [])),
  }),
  message: (team) => (team.phase === 'active' ? teamMessage(team) : undefined),
};

export const teamIndexes: readonly IndexPlan[] = [
  {
    collection: TEAMS,
    keys: { name: 1 },
    options: { unique: true, name: 'name' },
    serves: 'one team for each name (E14); reads by name',
  },
  { collection: TEAMS, keys: { phase: 1, createdAt: 1, _id: 1 }, serves: 'the list of teams by creation' },
  { collection: TEAMS, keys: { phase: 1, phaseAt: 1 }, serves: 'the sweep of half-done teams, oldest first' },
  { collection: TEAMS, keys: { 'members.userId': 1 }, serves: 'the teams of a user' },
  ...['roles.id', 'ruleIds'].map((field) => ({
    collection: TEAMS,
    keys: { [field]: 1 } as const,
    serves: 'whether another team has an imported id',
  })),
  { collection: TEAMS, keys: { 'notifying.notify.id': 1 }, serves: 'what routes to a schedule or escalation' },
];

const SWEEP_LIMIT = 100;
/** Teams whose routing rules the database sends at a time. */
const USES_BATCH = 100;
/** How long the database may look for routing rules, in milliseconds. */
const USES_TIMEOUT_MS = 2_000;

/** The result of a draft. */
export type TeamBeginning = BegunTeam | { readonly kind: 'unknown-member'; readonly userId: string };

/** A change of one team. Nothing is written where `team` is the same object. */
export interface TeamChange<T> {
  readonly team: Team;
  /** Stored with the change, in this order. */
  readonly log: readonly TeamLogEntry[];
  /** Whether the caller chose ids of roles or routing rules: refused with 409 where another team has one (I1). */
  readonly hasIdsOfCaller?: true | undefined;
  readonly answer: T;
}

/** The result of a write of the team that has an id. `leaving`: the removal of the team with that id or name has to end before. */
export type TeamPut =
  | { readonly kind: 'put'; readonly put: Put<Team> }
  | { readonly kind: 'taken' | 'leaving'; readonly teamId: string }
  | { readonly kind: 'unknown-member'; readonly userId: string };

export type TeamChangeOutcome<T> =
  | { readonly kind: 'changed'; readonly answer: T }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unknown-member'; readonly userId: string };

export interface TeamStoreOptions {
  readonly connection: Connection;
  readonly teams: ConfigurationCollection<Team>;
  readonly users: ConfigurationCollection<User>;
}

/** Stores teams in MongoDB, with their phases. The team as other services see it is published on `teams.v1`. */
export class TeamStore {
  readonly #options: TeamStoreOptions;
  readonly #logs: TeamLogStore;

  constructor(options: TeamStoreOptions) {
    this.#options = options;
    this.#logs = new TeamLogStore(options.connection);
  }

  /** Stores the draft as `creating`, as `begun` decides. */
  begin(draft: TeamDraft): Promise<TeamBeginning> {
    return this.#change(async (session) => {
      const namesake = await this.#options.teams.find({ name: draft.name }, session);
      const beginning = begun(draft, namesake);
      if (beginning.kind !== 'begun') return beginning;
      const userId = await this.#unknownMember(draft, session);
      if (userId !== undefined) return { kind: 'unknown-member', userId };
      await this.#enter(namesake, beginning.team, session);
      return beginning;
    });
  }

  /** Makes the team whole and visible, once, and begins its history. */
  activate(id: string, attempt: string, change: Activation): Promise<ActivationOutcome> {
    const { teams } = this.#options;
    return this.#change(async (session) => {
      const team = await teams.find({ _id: id }, session);
      const whole = activateTeam(team, attempt, change);
      if (typeof whole === 'string') return whole;
      if (team !== undefined && whole !== team) {
        await teams.replace(team, whole, session);
        await this.#logs.append(whole, [creationEntry(whole)], session);
      }
      return 'active';
    });
  }

  /** An active team. */
  find(reference: Reference): Promise<Team | undefined> {
    return this.#options.teams.find({ ...referenceFilter(reference), phase: 'active' });
  }

  /** The active teams with one of `values` as their `key`, in no order. */
  withAny(key: 'id' | 'name', values: readonly string[]): Promise<readonly Team[]> {
    const wanted = { [key === 'id' ? '_id' : key]: { $in: [...values] }, phase: 'active' };
    return this.#options.teams.select(wanted, { sort: {} });
  }

  /** An active team, or one whose removal has not ended. */
  findRemovable(reference: Reference): Promise<Team | undefined> {
    return this.#options.teams.find({ ...referenceFilter(reference), phase: { $in: ['active', 'deleting'] } });
  }

  /** The active teams by creation, then id. */
  list(): Promise<readonly TeamSummary[]> {
    return this.#options.teams.select({ phase: 'active' }, { fields: ['name', 'description'] });
  }

  /** The history of an active team. */
  history(id: string, page: TeamLogPage): Promise<readonly TeamLogLine[]> {
    return this.#logs.read(id, page);
  }

  /** The routing rules of active teams, except those of `exceptTeamId`, that notify the schedule or escalation. */
  async routingUses(type: 'schedule' | 'escalation', id: string, exceptTeamId = ''): Promise<readonly RoutingUse[]> {
    const found = collectionOf<TeamDocument>(this.#options.connection, TEAMS).find(
      { _id: { $ne: exceptTeamId }, phase: 'active', 'notifying.notify.id': id },
      {
        projection: { name: 1, notifying: 1 },
        sort: { createdAt: 1, _id: 1 },
        batchSize: USES_BATCH,
        maxTimeMS: USES_TIMEOUT_MS,
      },
    );
    const usesOf = ({ name, notifying }: TeamDocument) => routingUses({ name, routingRules: notifying }, type, id);
    return orUnavailable(flatMapInSteps(found, usesOf));
  }

  /**
   * Replaces the active team by what `work` makes of it, undisturbed by other writers of configuration. `work` may run several times.
   * Where it throws, its error is thrown and nothing is written. Only the store changes version, phase and attempt.
   *
   * @throws ConflictError when the new name is taken.
   */
  change<T>(reference: Reference, work: (team: Team) => TeamChange<T>): Promise<TeamChangeOutcome<T>> {
    const { teams } = this.#options;
    return this.#change(async (session) => {
      const team = await teams.find({ ...referenceFilter(reference), phase: 'active' }, session);
      if (team === undefined) return { kind: 'missing' };
      const { team: changed, log, hasIdsOfCaller, answer } = work(team);
      if (changed === team) return { kind: 'changed', answer };
      const userId = await this.#unknownMember(changed, session);
      if (userId !== undefined) return { kind: 'unknown-member', userId };
      const next = withNextVersion(changed, team);
      await teams.replace(team, next, session);
      await this.#logs.append(next, log, session);
      if (hasIdsOfCaller === true) await this.#refuseTakenIds(next, session);
      return { kind: 'changed', answer };
    });
  }

  /**
   * Writes the team that has this id as `active`: what `work` makes of the present one, or of none (I9). A team that is being created is
   * taken over. Nothing is written where `work` returns its argument. `work` may run several times.
   *
   * @throws ConflictError when another team has the id of a role.
   */
  put(
    { id, name }: Pick<Team, 'id' | 'name'>,
    work: (present: Team | undefined) => Pick<TeamChange<never>, 'team' | 'log'>,
  ): Promise<TeamPut> {
    const { teams } = this.#options;
    return this.#change(async (session) => {
      const namesake = await teams.find({ name, _id: { $ne: id } }, session);
      const found = await teams.find({ _id: id }, session);
      const leaving = [namesake, found].find((team) => team?.phase === 'deleting');
      if (leaving !== undefined) return { kind: 'leaving', teamId: leaving.id };
      if (namesake !== undefined) return { kind: 'taken', teamId: namesake.id };
      const present = found?.phase === 'active' ? found : undefined;
      const { team, log } = work(present);
      if (team === present) return { kind: 'put', put: { entity: team, present } };
      const userId = await this.#unknownMember(team, session);
      if (userId !== undefined) return { kind: 'unknown-member', userId };
      const next = present === undefined ? team : withNextVersion(team, present);
      await (found === undefined ? teams.insert(next, session) : teams.replace(found, next, session));
      await this.#logs.append(next, log, session);
      await this.#refuseTakenIds(next, session);
      return { kind: 'put', put: { entity: next, present } };
    });
  }

  /** Hides the team for good. Does nothing, and resolves with false, when `attempt` is not its latest. */
  beginRemoval(id: string, attempt: string): Promise<boolean> {
    return this.#change(async (session) => {
      const team = await this.#options.teams.find({ _id: id }, session);
      const hidden = beginDeletion(team, attempt);
      if (hidden === undefined) return false;
      await this.#enter(team, hidden, session);
      return true;
    });
  }

  /**
   * Deletes a team whose removal has begun, which frees its name. The history, which may be long, is deleted first: if the process
   * dies before the team is, another one repeats both.
   */
  async endRemoval(id: string): Promise<void> {
    const removed = { _id: id, phase: 'deleting' };
    if ((await this.#options.teams.find(removed)) === undefined) return;
    await this.#logs.forget(id);
    await this.#options.teams.remove(removed);
  }

  /** The teams that have been `creating` or `deleting` for at least `ageMs` of real time, oldest first, at most 100. */
  unfinished(ageMs: number): Promise<readonly Team[]> {
    const unfinished = {
      phase: { $in: ['creating', 'deleting'] },
      $expr: { $lte: ['$phaseAt', { $subtract: ['$$NOW', ageMs] }] },
    };
    return this.#options.teams.select(unfinished, { sort: { phaseAt: 1 }, limit: SWEEP_LIMIT });
  }

  #change<R>(work: (session: Session) => Promise<R>): Promise<R> {
    return changeConfiguration(this.#options.connection, work);
  }

  /** Begins a phase that has to end, or a new attempt at it, at the present time of the database's clock. */
  async #enter(before: Team | undefined, team: Team, session: Session): Promise<void> {
    const { connection, teams } = this.#options;
    await (before === undefined ? teams.insert(team, session) : teams.replace(before, team, session));
    const documents = collectionOf<TeamDocument>(connection, TEAMS);
    await documents.updateOne({ _id: team.id }, { $currentDate: { phaseAt: true } }, { session });
  }

  /** @throws ConflictError when another team has the id of a role or routing rule of this one. */
  async #refuseTakenIds({ id, roles, routingRules }: Team, session: Session): Promise<void> {
    const [roleIds, ruleIds] = [roles, routingRules].map((things) => things.map((thing) => thing.id));
    const others = { _id: { $ne: id }, $or: [{ 'roles.id': { $in: roleIds } }, { ruleIds: { $in: ruleIds } }] };
    const other = await this.#options.teams.find(others, session);
    if (other === undefined) return;
    const taken =
      other.roles.find((role) => roleIds?.includes(role.id)) ??
      other.routingRules.find((rule) => ruleIds?.includes(rule.id));
    throw new ConflictError(`The id [${taken?.id ?? ''}] is that of a role or routing rule of team [${other.name}].`);
  }

  async #unknownMember({ members }: Pick<Team, 'members'>, session: Session): Promise<string | undefined> {
    const ids = members.map(({ userId }) => userId);
    const found = await this.#options.users.select({ _id: { $in: ids } }, { fields: [], sort: {}, session });
    const known = new Set(found.map(({ id }) => id));
    return ids.find((userId) => !known.has(userId));
  }
}
