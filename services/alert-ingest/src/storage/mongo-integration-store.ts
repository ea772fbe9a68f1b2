import { ConfigurationCollection, type Announcements, type Connection } from '@tocsin/persistence';
import type { Integration } from '../domain/integration.ts';
import type { IntegrationFilter, IntegrationStore } from '../ports/integration-store.ts';
import { INTEGRATION } from './integration-kind.ts';

export class MongoIntegrationStore implements IntegrationStore {
  readonly #integrations: ConfigurationCollection<Integration>;

  constructor(connection: Connection, announcements: Announcements) {
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

  async remove(id: string): Promise<boolean> {
    return (await this.#integrations.remove({ _id: id })) !== undefined;
  }
}
