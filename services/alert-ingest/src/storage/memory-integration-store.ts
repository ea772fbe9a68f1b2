import { ConflictError } from '@tocsin/errors';
import type { Integration } from '../domain/integration.ts';
import type { IntegrationFilter, IntegrationStore } from '../ports/integration-store.ts';

export class MemoryIntegrationStore implements IntegrationStore {
  readonly #byId = new Map<string, Integration>();

  insert(integration: Integration): Promise<void> {
    const taken = [...this.#byId.values()].some(
      ({ id, name, keyHash }) => id === integration.id || name === integration.name || keyHash === integration.keyHash,
    );
    if (taken) return Promise.reject(new ConflictError(`Integration with name [${integration.name}] already exists.`));
    this.#byId.set(integration.id, integration);
    return Promise.resolve();
  }

  find(id: string): Promise<Integration | undefined> {
    return Promise.resolve(this.#byId.get(id));
  }

  findByKeyHash(keyHash: string): Promise<Integration | undefined> {
    return Promise.resolve([...this.#byId.values()].find((integration) => integration.keyHash === keyHash));
  }

  list({ type, ownerTeamId }: IntegrationFilter): Promise<readonly Integration[]> {
    const listed = [...this.#byId.values()].filter(
      (integration) =>
        (type === undefined || integration.type.toLowerCase() === type.toLowerCase()) &&
        (ownerTeamId === undefined || integration.ownerTeam?.id === ownerTeamId),
    );
    return Promise.resolve(listed.sort(byCreation));
  }

  update(id: string, change: (current: Integration) => Integration): Promise<Integration | undefined> {
    const current = this.#byId.get(id);
    if (current === undefined) return Promise.resolve(undefined);
    const changed = change(current);
    this.#byId.set(id, changed);
    return Promise.resolve(changed);
  }

  remove(id: string): Promise<boolean> {
    return Promise.resolve(this.#byId.delete(id));
  }
}

function byCreation(a: Integration, b: Integration): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);
}
