import {
  changeConfiguration,
  ConfigurationCollection,
  type Announcements,
  type Connection,
  type Session,
} from '@tocsin/persistence';
import { noSuchTeam, switched, type Integration } from '../domain/integration.ts';
import type { IntegrationFilter, IntegrationStore } from '../ports/integration-store.ts';
import { DELETED_TEAMS, INTEGRATION } from './integration-kind.ts';

/** A team that is deleted. Its id never comes back. */
interface DeletedTeam {
  readonly id: string;
  /** When its deletion was last heard of, in real time, as the index that removes it reckons. */
  readonly createdAt: Date;
}

export class MongoIntegrationStore implements IntegrationStore {
  readonly #connection: Connection;
  readonly #integrations: ConfigurationCollection<Integration>;
  readonly #deletedTeams: ConfigurationCollection<DeletedTeam>;

  constructor(connection: Connection, announcements: Announcements) {
    this.#connection = connection;
    this.#integrations = new ConfigurationCollection(connection, INTEGRATION, announcements);
    this.#deletedTeams = new ConfigurationCollection(connection, { collection: DELETED_TEAMS });
  }

  async insert(integration: Integration): Promise<void> {
    await this.#refuseDeletedTeam(async (session) => {
      await this.#integrations.insert(integration, session);
      return integration;
    });
  }

  find(id: string): Promise<Integration | undefined> {
    return this.#integrations.find({ _id: id });
  }

  findByKeyHash(keyHash: string): Promise<Integration | undefined> {
    return this.#integrations.find({ $or: [{ 'key.hash': keyHash }, { 'retiringKeys.keyHash': keyHash }] });
  }

  list({ type, ownerTeamId }: IntegrationFilter): Promise<readonly Integration[]> {
    return this.#integrations.list({
      ...(type !== undefined && { $expr: { $eq: [{ $toLower: '$type' }, type.toLowerCase()] } }),
      ...(ownerTeamId !== undefined && { 'ownerTeam.id': ownerTeamId }),
    });
  }

  update(id: string, change: (current: Integration) => Integration): Promise<Integration | undefined> {
    return this.#refuseDeletedTeam((session) => this.#integrations.update({ _id: id }, change, session));
  }

  disableOfTeam(teamId: string): Promise<readonly Integration[]> {
    return changeConfiguration(this.#connection, async (session) => {
      const owned = await this.#integrations.list({ 'ownerTeam.id': teamId }, session);
      const disabled = owned.map((integration) => switched(integration, false));
      await this.#integrations.write({ put: disabled.filter((integration, n) => integration !== owned[n]) }, session);
      await this.#deletedTeams.write({ put: [{ id: teamId, createdAt: new Date() }] }, session);
      return disabled;
    });
  }

  async remove(id: string): Promise<boolean> {
    return (await this.#integrations.remove({ _id: id })) !== undefined;
  }

  /**
   * Refuses a write that leaves an integration enabled for a deleted team. The write and the deletion both move the revision, so
   * one of them sees what the other wrote.
   */
  #refuseDeletedTeam<T extends Integration | undefined>(write: (session: Session) => Promise<T>): Promise<T> {
    return changeConfiguration(this.#connection, async (session) => {
      const written = await write(session);
      const team = written?.enabled === true ? written.ownerTeam : undefined;
      if (team !== undefined && (await this.#deletedTeams.find({ _id: team.id }, session))) throw noSuchTeam(team.id);
      return written;
    });
  }
}
