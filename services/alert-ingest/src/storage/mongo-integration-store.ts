import type { Version } from '@tocsin/contracts';
import { inTransaction, isDuplicateKey, type Connection, type Session } from '@tocsin/persistence';
import { nextVersion, type Integration } from '../domain/integration.ts';
import type { IntegrationFilter, IntegrationStore } from '../ports/integration-store.ts';
import { emailUsernameTaken, nameTaken } from './conflicts.ts';
import {
  EMAIL_USERNAME,
  integrationModel,
  toDocument,
  toIntegration,
  type IntegrationModel,
} from './integration-model.ts';
import { whileAway } from './while-away.ts';

/** Where a write notes, in its own transaction, what is to be announced. */
export interface StateChanges {
  changed(session: Session, id: string): Promise<void>;
  deleted(session: Session, id: string, version: Version): Promise<void>;
}

export class MongoIntegrationStore implements IntegrationStore {
  readonly #connection: Connection;
  readonly #model: IntegrationModel;
  readonly #changes: StateChanges;

  constructor(connection: Connection, changes: StateChanges) {
    this.#connection = connection;
    this.#model = integrationModel(connection);
    this.#changes = changes;
  }

  async insert(integration: Integration): Promise<void> {
    try {
      await inTransaction(this.#connection, async (session) => {
        await this.#model.create([toDocument(integration)], { session });
        await this.#changes.changed(session, integration.id);
      });
    } catch (error) {
      throw asConflict(error, integration);
    }
  }

  async find(id: string): Promise<Integration | undefined> {
    return this.#findBy({ _id: id });
  }

  async findByKeyHash(keyHash: string): Promise<Integration | undefined> {
    return this.#findBy({ $or: [{ 'key.hash': keyHash }, { 'retiringKeys.keyHash': keyHash }] });
  }

  async list({ type, ownerTeamId }: IntegrationFilter): Promise<readonly Integration[]> {
    const filter = {
      ...(type !== undefined && { $expr: { $eq: [{ $toLower: '$type' }, type.toLowerCase()] } }),
      ...(ownerTeamId !== undefined && { 'ownerTeam.id': ownerTeamId }),
    };
    const found = await whileAway(() => this.#model.find(filter).sort({ createdAt: 1, _id: 1 }).lean().exec());
    return found.map(toIntegration);
  }

  async update(id: string, change: (current: Integration) => Integration): Promise<Integration | undefined> {
    let wanted: Integration | undefined;
    try {
      return await inTransaction(this.#connection, async (session) => {
        const document = await this.#model.findById(id).session(session).lean().exec();
        if (document === null) return undefined;
        const current = toIntegration(document);
        const changed = change(current);
        if (changed === current) return current;
        wanted = changed;
        await this.#model.replaceOne({ _id: id }, toDocument(changed)).session(session).exec();
        await this.#changes.changed(session, id);
        return changed;
      });
    } catch (error) {
      throw wanted === undefined ? error : asConflict(error, wanted);
    }
  }

  async remove(id: string): Promise<boolean> {
    return inTransaction(this.#connection, async (session) => {
      const document = await this.#model.findByIdAndDelete(id).session(session).lean().exec();
      if (document === null) return false;
      await this.#changes.deleted(session, id, nextVersion(document));
      return true;
    });
  }

  async #findBy(filter: Readonly<Record<string, unknown>>): Promise<Integration | undefined> {
    const document = await whileAway(() => this.#model.findOne(filter).lean().exec());
    return document === null ? undefined : toIntegration(document);
  }
}

/** The refusal for what is taken; any other error as it is. */
function asConflict(error: unknown, integration: Integration): unknown {
  if (isDuplicateKey(error, EMAIL_USERNAME)) return emailUsernameTaken(integration, error);
  return isDuplicateKey(error) ? nameTaken(integration, error) : error;
}
