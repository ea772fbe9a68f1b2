import { ConflictError, type NotFoundError } from '@tocsin/errors';
import { noSuchTeam, switched, type Integration } from '../domain/integration.ts';
import type { IntegrationFilter, IntegrationStore } from '../ports/integration-store.ts';
import { emailUsernameTaken, nameTaken } from '../storage/conflicts.ts';

export class MemoryIntegrationStore implements IntegrationStore {
  readonly #byId = new Map<string, Integration>();
  readonly #deletedTeams = new Set<string>();

  insert(integration: Integration): Promise<void> {
    const refusal =
      this.#refusal(integration) ??
      (this.#byId.has(integration.id) ? new ConflictError(nameTaken(integration)) : undefined);
    if (refusal !== undefined) return Promise.reject(refusal);
    this.#byId.set(integration.id, integration);
    return Promise.resolve();
  }

  find(id: string): Promise<Integration | undefined> {
    return Promise.resolve(this.#byId.get(id));
  }

  findByKeyHash(keyHash: string): Promise<Integration | undefined> {
    return Promise.resolve(
      [...this.#byId.values()].find(
        ({ key, retiringKeys }) => key?.hash === keyHash || retiringKeys.some((each) => each.keyHash === keyHash),
      ),
    );
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
    const refusal = this.#refusal(changed);
    if (refusal !== undefined) return Promise.reject(refusal);
    this.#byId.set(id, changed);
    return Promise.resolve(changed);
  }

  async disableOfTeam(teamId: string): Promise<readonly Integration[]> {
    this.#deletedTeams.add(teamId);
    for (const { id } of await this.list({ ownerTeamId: teamId }))
      await this.update(id, (current) => switched(current, false));
    return this.list({ ownerTeamId: teamId });
  }

  remove(id: string): Promise<boolean> {
    return Promise.resolve(this.#byId.delete(id));
  }

  #refusal(integration: Integration): ConflictError | NotFoundError | undefined {
    const { enabled, ownerTeam } = integration;
    if (enabled && ownerTeam !== undefined && this.#deletedTeams.has(ownerTeam.id)) return noSuchTeam(ownerTeam.id);
    const others = [...this.#byId.values()].filter(({ id }) => id !== integration.id);
    const { name, key } = integration;
    const address = integration.emailUsername?.toLowerCase();
    if (address !== undefined && others.some((other) => other.emailUsername?.toLowerCase() === address))
      return new ConflictError(emailUsernameTaken(integration));
    const taken = others.some((other) => other.name === name || (key !== undefined && other.key?.hash === key.hash));
    return taken ? new ConflictError(nameTaken(integration)) : undefined;
  }
}

function byCreation(a: Integration, b: Integration): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);
}
