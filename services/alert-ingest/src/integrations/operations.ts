import { type Clock, ConflictError, InvalidError, NotFoundError, UnavailableError } from '@tocsin/core';
import { type IntegrationBody, integrationKind, type IntegrationListQuery } from '@tocsin/api';
import type { WebhookSettings } from '@tocsin/events';
import {
  hashKey,
  teamKeyRefused,
  webhookSecretOf,
  accessTo,
  boundTeam,
  requireOwnership,
  requireWrite,
  sendingIntegration,
  type Principal,
} from '@tocsin/http';
import type { Responders } from '@tocsin/kafka';
import {
  DEFAULT_INTEGRATION,
  type Integration,
  isDefault,
  type Key,
  noSuchTeam,
  rotated,
  switched,
  withTopic,
  webhookSettings,
} from './integration.ts';
import { defaultIntegration, described, newIntegration, replaced } from './new-integration.ts';
import { foundOnCall, foundReferences, namedBy, withPresentNames } from './reference-operations.ts';
import type { IntegrationStoreMethods, ListedIntegration } from './store.ts';

export interface IntegrationsOptions {
  readonly store: IntegrationStoreMethods;
  readonly references: Pick<Responders, 'find' | 'nameOf'>;
  /**
   * Resolves when `integrations.v1` has the present state of all of `ids`. Every write publishes it soon after its commit; some
   * must not be answered before (K2).
   *
   * @throws UnavailableError when it cannot be published now.
   */
  readonly publishNow: (ids: readonly string[]) => Promise<void>;
  /** Deletes the samples of the requests to an integration (Q8). */
  readonly removeSamples: (id: string) => Promise<void>;
  readonly clock: Clock;
  /** A fresh random UUID each time: ids and keys. */
  readonly newId: () => string;
  /** How long a key works on after it was replaced. */
  readonly keyOverlapMs: number;
}

/** An integration, and its key in the one answer that contains it (K2). */
export interface WithKey {
  readonly integration: Integration;
  /** Absent where an integration has none (type Email). */
  readonly apiKey: string | undefined;
}

/** A key that replaced another one, which works until `replacedValidUntil`. */
export interface RotatedKey {
  readonly integration: Integration;
  readonly apiKey: string;
  readonly replacedValidUntil: Date;
}

/**
 * The operations on integrations, without HTTP, Kafka or MongoDB (part 1, 2.4 and 4.2). The right of the caller is checked before
 * anything that a body names is looked up, and again on the integration that the write replaces.
 */
export class Integrations {
  readonly #options: IntegrationsOptions;

  constructor(options: IntegrationsOptions) {
    this.#options = options;
  }

  /**
   * The new integration and its key, which no other answer contains (K2).
   *
   * @throws NotFoundError for an owner team or recipient that does not exist; ConflictError when the name is taken; ForbiddenError
   *   where a person may not give the team an integration, or create one of the account (K12).
   */
  async create(body: IntegrationBody, principal: Principal): Promise<WithKey> {
    const { store, references, clock, newId } = this.#options;
    const found = await foundReferences({ references, known: [], teamId: boundTeam(principal) }, body, (ownerTeam) => {
      requireOwner(ownerTeam, principal);
    });
    const onCall = await foundOnCall(references, body, found.ownerTeam?.id);
    const apiKey = integrationKind(body.type) === 'email' ? undefined : newId();
    const key = apiKey === undefined ? undefined : keyOf(apiKey, body.type);
    const integration = newIntegration(body, { ...found, onCall }, { id: newId(), createdAt: clock.now(), key });
    await store.insert(integration);
    return { integration, apiKey };
  }

  /**
   * Replaces all that a body decides; what it leaves out returns to its default. The integration of a team key stays with
   * its team, whatever team the body names (K4). When this resolves every service knows the rights of the key (K2): also that it has
   * fewer, and also when an earlier call was refused because the other services could not be notified, and is repeated. The samples of an
   * integration that is to keep none are deleted by then (Q8).
   *
   * @throws NotFoundError and ConflictError as `create` and `enable` do; InvalidError for another type (P12) and for what locks
   *   all users out (K7); UnavailableError when the other services cannot be notified.
   */
  async replace(id: string, body: IntegrationBody, principal: Principal): Promise<Integration> {
    const { store, references, publishNow, removeSamples } = this.#options;
    const before = await this.#writable(id, principal);
    const teamId = boundTeam(principal);
    const ownerOf = (named: Integration['ownerTeam']) => (teamId === undefined ? named : before.ownerTeam);
    const found = await foundReferences({ references, known: namedBy(before), teamId }, body, (named) => {
      requireOwner(ownerOf(named), principal);
    });
    const ownerTeam = ownerOf(found.ownerTeam);
    const shown = { onCall: before.chat?.onCall ?? [], ownerTeamId: before.ownerTeam?.id };
    const onCall = await foundOnCall(references, body, ownerTeam?.id, shown);
    const wanted = described(body, { ...found, ownerTeam, onCall });
    if (wanted.enabled && !before.enabled) await this.#requireTeam(wanted);
    const after = await store.update(id, (current) => {
      requireIntegrationWrite(current, principal);
      // Perhaps because its team is deleted: the repeat finds out.
      if (wanted.enabled && before.enabled && !current.enabled)
        throw new UnavailableError('The integration was disabled meanwhile. Please try again.');
      return replaced(current, wanted);
    });
    if (after === undefined) throw notFound(id);
    await publishNow([id]);
    if (!after.keepSamples) await removeSamples(id);
    return after;
  }

  /**
   * A new key, which no other answer contains (K2). The one before works on for the overlap that is set, also when the new one is
   * replaced meanwhile: a caller who did not get the answer repeats the call and breaks nothing. Without an overlap every service knows
   * that the key before is invalid when this resolves.
   *
   * @throws InvalidError where the integration has no key; UnavailableError without an overlap, when the other services cannot be notified.
   */
  async rotateKey(id: string, principal: Principal): Promise<RotatedKey> {
    const { store, publishNow, clock, newId, keyOverlapMs } = this.#options;
    const before = await this.#writable(id, principal);
    if (before.key === undefined) throw InvalidError.about('integrationId', `[${before.name}] has no key.`);
    const now = clock.now();
    const validUntil = new Date(now.getTime() + keyOverlapMs);
    const apiKey = newId();
    const integration = await store.update(id, (current) => {
      requireIntegrationWrite(current, principal);
      return rotated(current, keyOf(apiKey, current.type), { now, validUntil });
    });
    if (integration === undefined) throw notFound(id);
    if (keyOverlapMs === 0) await publishNow([id]);
    return { integration, apiKey, replacedValidUntil: validUntil };
  }

  /** The integration, with the names that its team and recipients bear now (E10). */
  async get(id: string, principal: Principal): Promise<Integration> {
    return withPresentNames(this.#options.references, await this.#readable(id, principal));
  }

  /** URL and settings of a webhook, for notifier; undefined where the integration is no webhook. */
  async webhook(id: string): Promise<WebhookSettings | undefined> {
    const { clock, store } = this.#options;
    const integration = await store.find(id);
    return integration && webhookSettings(integration, clock.now());
  }

  /** All that the key may see, in the order of their creation; a team key sees those of its team (K4). */
  async list(query: IntegrationListQuery, principal: Principal): Promise<readonly ListedIntegration[]> {
    const { store, references } = this.#options;
    const { type, teamId, teamName } = query;
    const boundTo = boundTeam(principal);
    if (boundTo !== undefined) {
      if (teamId !== undefined || teamName !== undefined) throw teamKeyRefused();
      return store.list({ type, ownerTeamId: boundTo });
    }
    if (teamName === undefined) return store.list({ type, ownerTeamId: teamId });
    const team = await references.find('team', { name: teamName });
    if (team === undefined || (teamId !== undefined && team.id !== teamId)) return [];
    return store.list({ type, ownerTeamId: team.id });
  }

  /**
   * Switches it on; its key works again.
   *
   * @throws NotFoundError when its team is deleted: its alerts would page no user (S12). UnavailableError when the owner of the
   *   team cannot be asked.
   */
  async enable(id: string, principal: Principal): Promise<Integration> {
    const integration = await this.#writable(id, principal);
    await this.#requireTeam(integration);
    return this.#switch(id, true, principal);
  }

  /**
   * Switches it off. When this resolves every service knows that the key is invalid (K2).
   *
   * @throws InvalidError for the default integration (K7); UnavailableError when the other services cannot be notified.
   */
  async disable(id: string, principal: Principal): Promise<Integration> {
    const integration = await this.#writable(id, principal);
    if (isDefault(integration)) throw InvalidError.about('integrationId', `[${integration.name}] can not be disabled.`);
    return this.#disableNow(id, principal);
  }

  /**
   * Removes it. Its key is invalid before the record is gone, so a removal that was answered leaves no key behind.
   *
   * @throws InvalidError for the default integration (K7); UnavailableError when the other services cannot be notified.
   */
  async delete(id: string, principal: Principal): Promise<void> {
    const integration = await this.#writable(id, principal);
    if (isDefault(integration)) throw InvalidError.about('integrationId', `[${integration.name}] can not be deleted.`);
    await this.#disableNow(id, principal);
    await this.#options.store.remove(id, (present) => {
      requireIntegrationWrite(present, principal);
    });
  }

  /** Stores the topic of Amazon SNS as that of the integration, if it has none. Gives the one that it has then (Q6). */
  async claimTopic(id: string, topic: string): Promise<string | undefined> {
    return (await this.#options.store.update(id, (current) => withTopic(current, topic)))?.snsTopic;
  }

  /** Switches off every integration of a team that is being deleted; the same call again changes nothing (S12). */
  async disableOfTeam(teamId: string): Promise<number> {
    const { store, publishNow } = this.#options;
    const owned = await store.disableOfTeam(teamId);
    if (owned.length > 0) await publishNow(owned.map(({ id }) => id));
    return owned.length;
  }

  /** Whether the key belongs to an integration of `type`, compared without regard to case (wire facts 5). */
  authenticate(type: string, principal: Principal): void {
    if (type.trim().toLowerCase() === sendingIntegration(principal).type.toLowerCase()) return;
    throw InvalidError.ofFields({ type: `the integration of this key is not of type [${type}]` });
  }

  async #disableNow(id: string, principal: Principal): Promise<Integration> {
    const disabled = await this.#switch(id, false, principal);
    await this.#options.publishNow([id]);
    return disabled;
  }

  async #switch(id: string, enabled: boolean, principal: Principal): Promise<Integration> {
    const changed = await this.#options.store.update(id, (current) => {
      requireIntegrationWrite(current, principal);
      return switched(current, enabled);
    });
    if (changed === undefined) throw notFound(id);
    return changed;
  }

  async #requireTeam({ ownerTeam }: Pick<Integration, 'ownerTeam'>): Promise<void> {
    if (ownerTeam === undefined) return;
    const found = await this.#options.references.find('team', { id: ownerTeam.id });
    if (found === undefined) throw noSuchTeam(ownerTeam.id);
  }

  /** @throws NotFoundError where there is none; ForbiddenError where it is not of the key's team (K4). */
  async #readable(id: string, principal: Principal): Promise<Integration> {
    const integration = await this.#options.store.find(id);
    if (integration === undefined) throw notFound(id);
    if (accessTo({ ownerTeamId: integration.ownerTeam?.id }, principal) === 'none') throw teamKeyRefused();
    return integration;
  }

  /** @throws as `#readable`, and ForbiddenError where the person may not change it (K12). */
  async #writable(id: string, principal: Principal): Promise<Integration> {
    const integration = await this.#readable(id, principal);
    requireIntegrationWrite(integration, principal);
    return integration;
  }
}

/** @throws ForbiddenError where it is not of the key's team, or the person may not change it (K4, K12). */
export function requireIntegrationWrite({ name, ownerTeam }: Integration, principal: Principal): void {
  const action = `change integration [${name}]`;
  requireWrite({ ownerTeamId: ownerTeam?.id, teamName: ownerTeam?.name, action }, principal);
}

function requireOwner(ownerTeam: Integration['ownerTeam'], principal: Principal): void {
  requireOwnership({ ownerTeamId: ownerTeam?.id, teamName: ownerTeam?.name, kind: 'an integration' }, principal);
}

export const notFound = (id: string): NotFoundError => new NotFoundError(`Integration with id [${id}] does not exist.`);

/** The stored part of a key of an integration of `type`. */
export const keyOf = (apiKey: string, type: string): Key => ({
  hash: hashKey(apiKey),
  lastFour: apiKey.slice(-4),
  ...(integrationKind(type) === 'webhook' && { signingSecret: webhookSecretOf(apiKey) }),
});

export interface FirstStartOptions {
  readonly store: IntegrationStoreMethods;
  readonly clock: Clock;
  /** A fresh random UUID. */
  readonly newId: () => string;
  /** Writes a line to the log. */
  readonly notice: (text: string) => void;
  /** Shows a line at a terminal; undefined where there is none, because a log keeps what it gets. */
  readonly show?: ((line: string) => void) | undefined;
}

/**
 * Creates `Default API` where it does not exist (K5): at the first start with `bootstrapKey`, or with a key of its own that is
 * shown once, at the terminal alone. Any later start, and any other replica that starts at the same time, changes nothing.
 *
 * @throws Error at a first start without a key and without a terminal: every reader of the log would have the key. Nothing is created.
 */
export async function ensureDefaultIntegration(
  options: FirstStartOptions,
  bootstrapKey: string | undefined,
): Promise<void> {
  const { store, clock, notice } = options;
  const existing = await store.find(DEFAULT_INTEGRATION.id);
  if (existing !== undefined) {
    if (bootstrapKey !== undefined && existing.key?.hash !== hashKey(bootstrapKey))
      notice(`${existing.name} exists and keeps its key, which is not the one of BOOTSTRAP_API_KEY`);
    return;
  }
  const key = bootstrapKey ?? generated(options);
  const origin = { createdAt: clock.now(), key: { hash: hashKey(key), lastFour: key.slice(-4) } };
  if (!(await inserted(store, origin))) return;
  if (bootstrapKey === undefined)
    options.show?.(`${DEFAULT_INTEGRATION.name} was created, its key is shown this once: ${key}`);
}

function generated({ newId, show }: FirstStartOptions): string {
  if (show === undefined)
    throw new Error(`${DEFAULT_INTEGRATION.name} needs its first key: set BOOTSTRAP_API_KEY to a UUID`);
  return newId();
}

/** False when another replica was first. */
async function inserted(
  store: IntegrationStoreMethods,
  origin: Parameters<typeof defaultIntegration>[0],
): Promise<boolean> {
  try {
    await store.insert(defaultIntegration(origin));
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
}
