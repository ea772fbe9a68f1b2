import type { Clock } from '@tocsin/clock';
import {
  integrationKind,
  type IntegrationBody,
  type IntegrationListQuery,
  type WebhookSettings,
} from '@tocsin/contracts';
import { InvalidError, NotFoundError, UnavailableError } from '@tocsin/errors';
import { hashKey, teamAccess, teamKeyRefused, webhookSecretOf, type Principal } from '@tocsin/key-auth';
import { isDefault, noSuchTeam, switched, webhookSettings, type Integration, type Key } from '../domain/integration.ts';
import { rotated } from '../domain/keys.ts';
import { described, newIntegration } from '../domain/new-integration.ts';
import { replaced } from '../domain/replaced-integration.ts';
import type { Announcer } from '../ports/announcer.ts';
import type { IntegrationStore } from '../ports/integration-store.ts';
import type { References } from '../ports/references.ts';
import { foundReferences, namedBy, withPresentNames } from './found-references.ts';

export interface IntegrationsPorts {
  readonly store: IntegrationStore;
  readonly references: References;
  readonly announcer: Announcer;
  readonly clock: Clock;
  /** A fresh random UUID each time: ids and keys. */
  readonly newId: () => string;
  /** How long a key works on after it was replaced. */
  readonly keyOverlapMs: number;
}

/** An integration, and its key in the one answer that tells it (K2). */
export interface WithKey {
  readonly integration: Integration;
  /** Absent where an integration has none (type Email). */
  readonly apiKey: string | undefined;
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
  async create(body: IntegrationBody): Promise<WithKey> {
    const { store, references, clock, newId } = this.#ports;
    const found = await foundReferences({ references, known: [], teamId: undefined }, body);
    const apiKey = integrationKind(body.type) === 'email' ? undefined : newId();
    const key = apiKey === undefined ? undefined : keyOf(apiKey, body.type);
    const integration = newIntegration(body, found, { id: newId(), createdAt: clock.now(), key });
    await store.insert(integration);
    return { integration, apiKey };
  }

  /**
   * Replaces all that a body decides; what it leaves out returns to its default. The integration of a team key stays with
   * its team, whatever the body says (K4). When this resolves every service knows what the key may now (K2): also that it may
   * less, and also when the one that took it away was answered that the others could not be told, and asks again.
   *
   * @throws NotFoundError and ConflictError as `create` and `enable` do; InvalidError for another type (P12) and for what locks
   *   everybody out (K7); UnavailableError when the others cannot be told.
   */
  async replace(id: string, body: IntegrationBody, principal: Principal): Promise<Integration> {
    const { store, references, announcer } = this.#ports;
    const before = await this.#reachable(id, principal);
    const found = await foundReferences({ references, known: namedBy(before), teamId: principal.teamId }, body);
    const ownerTeam = principal.teamId === undefined ? found.ownerTeam : before.ownerTeam;
    const wanted = described(body, { ...found, ownerTeam });
    if (wanted.enabled && !before.enabled) await this.#requireTeam(wanted);
    const after = await store.update(id, (current) => {
      // Perhaps because its team is deleted: the repeat finds out.
      if (wanted.enabled && before.enabled && !current.enabled)
        throw new UnavailableError('The integration was disabled meanwhile. Please try again.');
      return replaced(current, wanted);
    });
    if (after === undefined) throw missing(id);
    await announcer.publishNow([id]);
    return after;
  }

  /**
   * A new key, told this once (K2). The one before works on for the overlap that is set, also when the new one is replaced
   * meanwhile: whoever did not get the answer asks again and breaks nothing. Without an overlap every service has been told
   * that the key before is dead when this resolves.
   *
   * @throws InvalidError where the integration has no key; UnavailableError without an overlap, when the others cannot be told.
   */
  async rotateKey(id: string, principal: Principal): Promise<WithKey & { readonly replacedValidUntil: Date }> {
    const { store, announcer, clock, newId, keyOverlapMs } = this.#ports;
    const before = await this.#reachable(id, principal);
    if (before.key === undefined) throw InvalidError.about('integrationId', `[${before.name}] has no key.`);
    const now = clock.now();
    const validUntil = new Date(now.getTime() + keyOverlapMs);
    const apiKey = newId();
    const integration = await store.update(id, (current) =>
      rotated(current, keyOf(apiKey, current.type), { now, validUntil }),
    );
    if (integration === undefined) throw missing(id);
    if (keyOverlapMs === 0) await announcer.publishNow([id]);
    return { integration, apiKey, replacedValidUntil: validUntil };
  }

  /** The integration, with the names that its team and recipients bear now (E10). */
  async get(id: string, principal: Principal): Promise<Integration> {
    return withPresentNames(this.#ports.references, await this.#reachable(id, principal));
  }

  /** Where and how the integration tells what happens to alerts, for whoever does that; undefined where it is no webhook. */
  async webhook(id: string): Promise<WebhookSettings | undefined> {
    const { clock, store } = this.#ports;
    const integration = await store.find(id);
    return integration && webhookSettings(integration, clock.now());
  }

  /** All that the key may see, in the order of their creation; a team key sees those of its team (K4). */
  async list(query: IntegrationListQuery, principal: Principal): Promise<readonly Integration[]> {
    const { store, references } = this.#ports;
    const { type, teamId, teamName } = query;
    if (principal.teamId !== undefined) {
      if (teamId !== undefined || teamName !== undefined) throw teamKeyRefused();
      return store.list({ type, ownerTeamId: principal.teamId });
    }
    if (teamName === undefined) return store.list({ type, ownerTeamId: teamId });
    const team = await references.find('team', { name: teamName });
    if (team === undefined || (teamId !== undefined && team.id !== teamId)) return [];
    return store.list({ type, ownerTeamId: team.id });
  }

  /**
   * Switches it on; its key works again.
   *
   * @throws NotFoundError when its team is deleted: its alerts would page nobody (S12). UnavailableError when the owner of the
   *   team cannot be asked.
   */
  async enable(id: string, principal: Principal): Promise<Integration> {
    const integration = await this.#reachable(id, principal);
    await this.#requireTeam(integration);
    return this.#switch(id, true);
  }

  /**
   * Switches it off. When this resolves every service has been told that the key is dead (K2).
   *
   * @throws InvalidError for the default integration (K7); UnavailableError when the others cannot be told.
   */
  async disable(id: string, principal: Principal): Promise<Integration> {
    const integration = await this.#reachable(id, principal);
    if (isDefault(integration)) throw InvalidError.about('integrationId', `[${integration.name}] can not be disabled.`);
    return this.#silence(id);
  }

  /**
   * Removes it. Its key is dead before the record is gone, so that a removal that answered leaves no key behind.
   *
   * @throws InvalidError for the default integration (K7); UnavailableError when the others cannot be told.
   */
  async delete(id: string, principal: Principal): Promise<void> {
    const integration = await this.#reachable(id, principal);
    if (isDefault(integration)) throw InvalidError.about('integrationId', `[${integration.name}] can not be deleted.`);
    await this.#silence(id);
    await this.#ports.store.remove(id);
  }

  /** Switches off every integration of a team that is being deleted; the same call again changes nothing (S12). */
  async disableOfTeam(teamId: string): Promise<number> {
    const { store, announcer } = this.#ports;
    const owned = await store.disableOfTeam(teamId);
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

  async #requireTeam({ ownerTeam }: Pick<Integration, 'ownerTeam'>): Promise<void> {
    if (ownerTeam === undefined) return;
    const found = await this.#ports.references.find('team', { id: ownerTeam.id });
    if (found === undefined) throw noSuchTeam(ownerTeam.id);
  }

  async #reachable(id: string, principal: Principal): Promise<Integration> {
    const integration = await this.#ports.store.find(id);
    if (integration === undefined) throw missing(id);
    if (teamAccess({ ownerTeamId: integration.ownerTeam?.id }, principal.teamId) !== 'write') throw teamKeyRefused();
    return integration;
  }
}

const missing = (id: string) => new NotFoundError(`Integration with id [${id}] does not exist.`);

const keyOf = (apiKey: string, type: string): Key => ({
  hash: hashKey(apiKey),
  lastFour: apiKey.slice(-4),
  ...(integrationKind(type) === 'webhook' && { signingSecret: webhookSecretOf(apiKey) }),
});
