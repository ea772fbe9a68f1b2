import type { IntegrationState } from '@tocsin/events';
import { ConflictError, type Put } from '@tocsin/core';
import {
  type AnnouncedKind,
  type Announcements,
  changeConfiguration,
  ConfigurationCollection,
  type Connection,
  type IndexPlan,
  type Session,
  type Stored,
} from '@tocsin/mongo';
import type { ActionGroups } from './action.ts';
import type { IntegrationContent } from './content.ts';
import { type Integration, noSuchTeam, stateMessage, switched } from './integration.ts';

export const INTEGRATIONS = 'integrations';
/** The ids of teams that are deleted. */
export const DELETED_TEAMS = 'deleted_teams';
/** The name of the index by which a mail address is unique. */
const EMAIL_USERNAME = 'emailUsername';

/** Actions and content are stored as JSON, because callers choose their names and keys. */
type IntegrationDocument = Omit<Stored<Integration>, 'actions' | 'content'> & {
  readonly actions: string;
  readonly content: string;
};

export const INTEGRATION: AnnouncedKind<Integration, IntegrationState, IntegrationDocument> = {
  collection: INTEGRATIONS,
  conflict: (integration, index) =>
    index === EMAIL_USERNAME ? emailUsernameTaken(integration) : nameTaken(integration),
  read: ({ _id, actions, content, ...rest }) => ({
    ...rest,
    id: _id,
    actions: JSON.parse(actions) as ActionGroups,
    content: JSON.parse(content) as IntegrationContent,
  }),
  write: ({ id, actions, content, ...rest }) => ({
    _id: id,
    ...rest,
    actions: JSON.stringify(actions),
    content: JSON.stringify(content),
  }),
  message: stateMessage,
};

export const integrationIndexes: readonly IndexPlan[] = [
  {
    collection: INTEGRATIONS,
    keys: { name: 1 },
    options: { unique: true, name: 'name' },
    serves: 'one integration per name, exact comparison (E14)',
  },
  {
    collection: INTEGRATIONS,
    keys: { 'key.hash': 1 },
    options: { unique: true, sparse: true, name: 'key' },
    serves: 'the gateway, which asks for the holder of a key that it does not know yet',
  },
  {
    collection: INTEGRATIONS,
    keys: { 'retiringKeys.keyHash': 1 },
    options: { sparse: true },
    serves: 'the same, for a key that was replaced a while ago',
  },
  {
    collection: INTEGRATIONS,
    keys: { emailUsername: 1 },
    options: { unique: true, sparse: true, name: EMAIL_USERNAME, collation: { locale: 'en', strength: 2 } },
    serves: 'one integration per mail address, without regard to case (P10)',
  },
  {
    collection: INTEGRATIONS,
    keys: { 'ownerTeam.id': 1, createdAt: 1, _id: 1 },
    serves: 'the list of one team, in the order of creation',
  },
  { collection: INTEGRATIONS, keys: { createdAt: 1, _id: 1 }, serves: 'the list in the order of creation' },
  {
    collection: DELETED_TEAMS,
    keys: { createdAt: 1 },
    // Only while Kafka is unavailable does a process believe in a deleted team for longer than a second.
    options: { expireAfterSeconds: 15 * 24 * 3_600 },
    serves: 'the end of ids that no process takes for those of present teams',
  },
];

/** Matches the integration whose key, present or replaced, has this hash. */
const holding = (keyHash: string) => ({ $or: [{ 'key.hash': keyHash }, { 'retiringKeys.keyHash': keyHash }] });

const nameTaken = ({ name }: Integration): string => `Integration with name [${name}] already exists.`;

const emailUsernameTaken = ({ emailUsername = '' }: Integration): string =>
  `Integration with emailUsername [${emailUsername}] already exists.`;

/** Which integrations a list asks for; what is absent filters nothing. */
export interface IntegrationFilter {
  /** Compared without regard to case (P12). */
  readonly type?: string | undefined;
  readonly ownerTeamId?: string | undefined;
}

/** An integration in a list. Their actions, up to a million characters each, would block the event loop. */
export type ListedIntegration = Pick<Integration, 'id' | 'createdAt' | 'name' | 'enabled' | 'type' | 'ownerTeam'>;

/** The methods of the store, which `CachedIntegrations` has as well. */
export type IntegrationStoreMethods = Pick<IntegrationStore, keyof IntegrationStore>;

/** A team that is deleted. Its id comes back only by an import. */
interface DeletedTeam {
  readonly id: string;
  /** When its deletion was last requested, in real time, because the index that removes it uses that. */
  readonly createdAt: Date;
}

/**
 * Keeps integrations in MongoDB. A write that is done is published to the other services before it resolves, or as soon as Kafka
 * takes it. None leaves an integration enabled for a deleted team (S12).
 */
export class IntegrationStore {
  readonly #connection: Connection;
  readonly #integrations: ConfigurationCollection<Integration>;
  readonly #deletedTeams: ConfigurationCollection<DeletedTeam>;

  constructor(connection: Connection, announcements: Announcements) {
    this.#connection = connection;
    this.#integrations = new ConfigurationCollection(connection, INTEGRATION, announcements);
    this.#deletedTeams = new ConfigurationCollection(connection, { collection: DELETED_TEAMS });
  }

  /**
   * @throws ConflictError when the name is taken (exact comparison, E14), the id or the key is.
   * @throws NotFoundError when it is enabled and its team is deleted.
   */
  async insert(integration: Integration): Promise<void> {
    await this.#refuseDeletedTeam(
      (session) => this.#integrations.insert(integration, session),
      () => integration,
    );
  }

  find(id: string): Promise<Integration | undefined> {
    return this.#integrations.find({ _id: id });
  }

  findByKeyHash(keyHash: string): Promise<Integration | undefined> {
    return this.#integrations.find(holding(keyHash));
  }

  /** The integrations that have keys with these hashes, present or replaced, by the hash. */
  async holdersOf(keyHashes: readonly string[]): Promise<ReadonlyMap<string, Pick<Integration, 'id' | 'name'>>> {
    const filter = { $or: [{ 'key.hash': { $in: keyHashes } }, { 'retiringKeys.keyHash': { $in: keyHashes } }] };
    const found = await this.#integrations.select(filter, { fields: ['name', 'key', 'retiringKeys'] });
    return new Map(
      found.flatMap(({ id, key, name, retiringKeys }) =>
        [...(key === undefined ? [] : [key.hash]), ...retiringKeys.map(({ keyHash }) => keyHash)].map(
          (hash) => [hash, { id, name }] as const,
        ),
      ),
    );
  }

  /** In the order of their creation (E7). */
  list({ type, ownerTeamId }: IntegrationFilter): Promise<readonly ListedIntegration[]> {
    const filter = {
      ...(type !== undefined && { $expr: { $eq: [{ $toLower: '$type' }, type.toLowerCase()] } }),
      ...(ownerTeamId !== undefined && { 'ownerTeam.id': ownerTeamId }),
    };
    return this.#integrations.select(filter, { fields: ['createdAt', 'name', 'enabled', 'type', 'ownerTeam'] });
  }

  /** Those of the ids whose integration is there and keeps samples (Q8). */
  async keepingSamples(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await this.#integrations.select({ _id: { $in: ids }, keepSamples: true }, { fields: [] });
    return new Set(found.map(({ id }) => id));
  }

  /** All integrations, whole. */
  readAll(): Promise<readonly Integration[]> {
    return this.#integrations.list();
  }

  /**
   * Replaces the integration by what `change` makes of it, undisturbed by other writers, and returns that; nothing is
   * written when `change` returns its argument, or throws. Undefined when there is no such integration.
   *
   * @throws ConflictError and NotFoundError as `insert`.
   */
  update(id: string, change: (current: Integration) => Integration): Promise<Integration | undefined> {
    return this.#refuseDeletedTeam(
      (session) => this.#integrations.update({ _id: id }, change, session),
      (written) => written,
    );
  }

  /**
   * Writes the integration that has this id, as {@link ConfigurationCollection.put}. Readers take one for newer than one with its id that was deleted.
   *
   * @throws ConflictError and NotFoundError as `insert`.
   */
  put(id: string, change: (present: Integration | undefined) => Integration): Promise<Put<Integration>> {
    return this.#refuseDeletedTeam(
      (session) => this.#integrations.put(id, change, session),
      ({ entity }) => entity,
    );
  }

  /**
   * As `update`, where `change` gives the integration the key with this hash. Undefined when there is no such integration.
   *
   * @throws ConflictError also where another integration has the key, or had it before its present one.
   */
  async putKey(
    id: string,
    keyHash: string,
    change: (current: Integration) => Integration,
  ): Promise<Put<Integration> | undefined> {
    return changeConfiguration(this.#connection, async (session) => {
      const holder = await this.#integrations.find({ _id: { $ne: id }, ...holding(keyHash) }, session);
      if (holder !== undefined) throw new ConflictError(`Integration [${holder.name}] has this key.`);
      const present = await this.#integrations.find({ _id: id }, session);
      if (present === undefined) return undefined;
      const entity = change(present);
      await this.#integrations.replace(present, entity, session);
      return { entity, present };
    });
  }

  /**
   * Stores that a team is deleted and switches off every integration that it has, in one step, which is published once. Gives all of them, in the order of their creation.
   */
  disableOfTeam(teamId: string): Promise<readonly Integration[]> {
    return changeConfiguration(this.#connection, async (session) => {
      const owned = await this.#integrations.list({ 'ownerTeam.id': teamId }, session);
      const disabled = owned.map((integration) => switched(integration, false));
      await this.#integrations.write({ put: disabled.filter((integration, n) => integration !== owned[n]) }, session);
      // eslint-disable-next-line no-restricted-syntax -- the index that removes it uses real time
      await this.#deletedTeams.write({ put: [{ id: teamId, createdAt: new Date() }] }, session);
      return disabled;
    });
  }

  /** Forgets that a team was deleted: an import has created one with its id (I9). */
  async forgetDeletedTeam(teamId: string): Promise<void> {
    await this.#deletedTeams.remove({ _id: teamId });
  }

  /** False when there is no such integration. What `check` throws is thrown, and nothing is removed. */
  async remove(id: string, check?: (present: Integration) => void): Promise<boolean> {
    return (await this.#integrations.remove({ _id: id }, undefined, check)) !== undefined;
  }

  /**
   * Refuses a write that leaves an integration enabled for a deleted team. The write and the deletion both move the revision, so
   * one of them sees what the other wrote.
   */
  #refuseDeletedTeam<T>(
    write: (session: Session) => Promise<T>,
    integrationOf: (written: T) => Integration | undefined,
  ): Promise<T> {
    return changeConfiguration(this.#connection, async (session) => {
      const written = await write(session);
      const integration = integrationOf(written);
      const team = integration?.enabled === true ? integration.ownerTeam : undefined;
      if (team !== undefined && (await this.#deletedTeams.find({ _id: team.id }, session))) throw noSuchTeam(team.id);
      return written;
    });
  }
}
