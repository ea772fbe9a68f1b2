import { changeConfiguration, ConfigurationCollection, type Announcements, type Connection } from '@tocsin/persistence';
import type { Integration } from '../domain/integration.ts';
import type { IntegrationFilter, IntegrationStore } from '../ports/integration-store.ts';
import { INTEGRATION } from './integration-kind.ts';

export class MongoIntegrationStore implements IntegrationStore {
  readonly #connection: Connection;
  readonly #integrations: ConfigurationCollection<Integration>;

  constructor(connection: Connection, announcements: Announcements) {
    this.#connection = connection;
    this.#integrations = new ConfigurationCollection(connection, INTEGRATION, announcements);
  }

  insert(integration: Integration): Promise<void> {
    return this.#integrations.insert(integration);
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
    return this.#integrations.update({ _id: id }, change);
  }

  updateOfTeam(teamId: string, change: (current: Integration) => Integration): Promise<readonly Integration[]> {
    return changeConfiguration(this.#connection, async (session) => {
      const owned = await this.#integrations.list({ 'ownerTeam.id': teamId }, session);
      const changed = owned.map(change);
      await this.#integrations.write({ put: changed.filter((integration, n) => integration !== owned[n]) }, session);
      return changed;
    });
  }

  async remove(id: string): Promise<boolean> {
    return (await this.#integrations.remove({ _id: id })) !== undefined;
  }
}
