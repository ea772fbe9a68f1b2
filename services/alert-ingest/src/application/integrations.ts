import type { Clock } from '@tocsin/clock';
import type { CreateIntegrationBody, IntegrationListQuery, RecipientReference } from '@tocsin/contracts';
import { ForbiddenError, InvalidError, NotFoundError } from '@tocsin/errors';
import { hashKey, type Principal } from '@tocsin/key-auth';
import { isDefault, switched, type Integration, type NamedReference, type Recipient } from '../domain/integration.ts';
import { newIntegration, wantedRecipients } from '../domain/new-integration.ts';
import type { Announcer } from '../ports/announcer.ts';
import type { IntegrationStore } from '../ports/integration-store.ts';
import type { References, ReferenceType } from '../ports/references.ts';

export interface IntegrationsPorts {
  readonly store: IntegrationStore;
  readonly references: References;
  readonly announcer: Announcer;
  readonly clock: Clock;
  /** A fresh random UUID each time: ids and keys. */
  readonly newId: () => string;
}

/** What the service can do with integrations, without HTTP, Kafka or MongoDB (part 1, 2.4 and 4.2). */
export class Integrations {
  readonly #ports: IntegrationsPorts;

  constructor(ports: IntegrationsPorts) {
    this.#ports = ports;
  }

  /**
   * The new integration and its key, which is told this once (K2).
   *
   * @throws NotFoundError for an owner team or recipient that does not exist; ConflictError when the name is taken.
   */
  async create(body: CreateIntegrationBody): Promise<{ readonly integration: Integration; readonly apiKey: string }> {
    const { store, announcer, clock, newId } = this.#ports;
    const ownerTeam = body.ownerTeam && (await this.#ownerTeam(body.ownerTeam));
    const recipients = await Promise.all(wantedRecipients(body).map((wanted) => this.#recipient(wanted)));
    const apiKey = newId();
    const integration = newIntegration(
      body,
      { ownerTeam, recipients },
      { id: newId(), createdAt: clock.now(), keyHash: hashKey(apiKey), keyLastFour: apiKey.slice(-4) },
    );
    await store.insert(integration);
    await announcer.flush();
    return { integration, apiKey };
  }

  /** The integration, with the names that its team and recipients bear now (E10). */
  async get(id: string, principal: Principal): Promise<Integration> {
    return this.#withNames(await this.#reachable(id, principal));
  }

  /** All that the key may see, in the order of their creation; a team key sees those of its team (K4). */
  async list(query: IntegrationListQuery, principal: Principal): Promise<readonly Integration[]> {
    const { store, references } = this.#ports;
    const { type, teamId, teamName } = query;
    if (principal.teamId !== undefined) {
      if (teamId !== undefined || teamName !== undefined) throw new ForbiddenError(TEAM_KEY);
      return store.list({ type, ownerTeamId: principal.teamId });
    }
    if (teamName === undefined) return store.list({ type, ownerTeamId: teamId });
    const team = await references.find('team', { name: teamName });
    if (team === undefined || (teamId !== undefined && team.id !== teamId)) return [];
    return store.list({ type, ownerTeamId: team.id });
  }

  /** Switches it on; its key works again. */
  async enable(id: string, principal: Principal): Promise<Integration> {
    await this.#reachable(id, principal);
    const enabled = await this.#switch(id, true);
    await this.#ports.announcer.flush();
    return enabled;
  }

  /**
   * Switches it off. When this resolves every service has been told that the key is dead (K2).
   *
   * @throws InvalidError for the default integration (K7); UnavailableError when the others cannot be told.
   */
  async disable(id: string, principal: Principal): Promise<Integration> {
    const integration = await this.#reachable(id, principal);
    if (isDefault(integration)) throw new InvalidError(`[${integration.name}] can not be disabled.`);
    return this.#silence(id);
  }

  /**
   * Removes it. Its key is dead before the record is gone, so that a removal that answered leaves no key behind.
   *
   * @throws InvalidError for the default integration (K7); UnavailableError when the others cannot be told.
   */
  async delete(id: string, principal: Principal): Promise<void> {
    const integration = await this.#reachable(id, principal);
    if (isDefault(integration)) throw new InvalidError(`[${integration.name}] can not be deleted.`);
    await this.#silence(id);
    await this.#ports.store.remove(id);
    await this.#ports.announcer.flush();
  }

  /** Switches off every integration of a team that is being deleted; the same call again changes nothing (S12). */
  async disableOfTeam(teamId: string): Promise<number> {
    const { store, announcer } = this.#ports;
    const owned = await store.list({ ownerTeamId: teamId });
    for (const { id } of owned) await store.update(id, (current) => switched(current, false));
    if (owned.length > 0) await announcer.publishNow(owned.map(({ id }) => id));
    return owned.length;
  }

  /** Whether the key belongs to an integration of `type`, compared without regard to case (wire facts 5). */
  authenticate(type: string, principal: Principal): void {
    if (type.trim().toLowerCase() === principal.integrationType.toLowerCase()) return;
    throw InvalidError.ofFields({ type: `the integration of this key is not of type [${type}]` });
  }

  async #silence(id: string): Promise<Integration> {
    const disabled = await this.#switch(id, false);
    await this.#ports.announcer.publishNow([id]);
    return disabled;
  }

  async #switch(id: string, enabled: boolean): Promise<Integration> {
    const changed = await this.#ports.store.update(id, (current) => switched(current, enabled));
    if (changed === undefined) throw missing(id);
    return changed;
  }

  async #reachable(id: string, principal: Principal): Promise<Integration> {
    const integration = await this.#ports.store.find(id);
    if (integration === undefined) throw missing(id);
    if (principal.teamId !== undefined && integration.ownerTeam?.id !== principal.teamId)
      throw new ForbiddenError(TEAM_KEY);
    return integration;
  }

  async #ownerTeam({ id, name }: NonNullable<CreateIntegrationBody['ownerTeam']>): Promise<NamedReference | undefined> {
    if (id === undefined && name === undefined) return undefined;
    return this.#found('team', { id, name });
  }

  async #recipient({ type, id, name }: RecipientReference): Promise<Recipient> {
    if (type === 'all' || type === 'none') return { type, target: undefined };
    return { type, target: await this.#found(type, { id, name }) };
  }

  async #found(type: ReferenceType, wanted: Pick<RecipientReference, 'id' | 'name'>): Promise<NamedReference> {
    const found = await this.#ports.references.find(type, wanted);
    if (found !== undefined) return found;
    const called = wanted.id === undefined ? `name [${wanted.name ?? ''}]` : `id [${wanted.id}]`;
    throw new NotFoundError(`${type.charAt(0).toUpperCase()}${type.slice(1)} with ${called} does not exist.`);
  }

  #withNames(integration: Integration): Integration {
    const { ownerTeam, recipients } = integration;
    const named = (type: ReferenceType, { id, name }: NamedReference) => ({
      id,
      name: this.#ports.references.nameOf(type, id) ?? name,
    });
    return {
      ...integration,
      ownerTeam: ownerTeam && named('team', ownerTeam),
      recipients: recipients.map(({ type, target }) => ({
        type,
        target: type === 'all' || type === 'none' ? undefined : target && named(type, target),
      })),
    };
  }
}

const TEAM_KEY = 'Team API Keys are not authorized to perform this action.';

const missing = (id: string) => new NotFoundError(`Integration with id [${id}] does not exist.`);
