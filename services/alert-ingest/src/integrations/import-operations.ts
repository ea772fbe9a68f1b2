import { isDeepStrictEqual } from 'node:util';
import { type ImportIntegrationBody, type ImportKeyBody, type IntegrationBody, integrationKind } from '@tocsin/api';
import { InvalidError } from '@tocsin/core';
import { type ImportResult, importedAs, type Principal } from '@tocsin/http';
import type { IntegrationActions } from './action-operations.ts';
import { type Integration, type Key, withImportedKey } from './integration.ts';
import { described, type FoundReferences, newIntegration, replaced } from './new-integration.ts';
import { type IntegrationsOptions, keyOf, notFound } from './operations.ts';
import { foundOnCall, foundReferences, namedBy, withPresentNames } from './reference-operations.ts';

export interface IntegrationImportsOptions extends IntegrationsOptions {
  readonly actions: Pick<IntegrationActions, 'draft'>;
}

/** Writes integrations of another account with their ids, and the keys of that account (I5, I6). Only keys of the account may do that. */
export class IntegrationImports {
  readonly #options: IntegrationImportsOptions;

  constructor(options: IntegrationImportsOptions) {
    this.#options = options;
  }

  /**
   * Creates the integration with this id, with a key that no answer contains, or replaces it with its actions. Its keys stay. When this
   * resolves every service knows the rights of the key (K2), as after `Integrations.replace`.
   *
   * @throws as `Integrations.create` and `replace`, and `IntegrationActions.replace`.
   */
  async put(id: string, { actions, ...body }: ImportIntegrationBody, caller: Principal): Promise<ImportResult> {
    const { publishNow, removeSamples, store } = this.#options;
    const before = await store.find(id);
    const found = await this.#found(body, before);
    const made = this.#made(id, body, found);
    const draft = { ...made, actions: before?.actions ?? made.actions };
    const created = { ...made, actions: await this.#options.actions.draft(draft, actions, caller) };
    const wanted = { ...described(body, found), actions: created.actions };
    const put = await store.put(id, (present) => (present === undefined ? created : this.#changed(present, wanted)));
    // Also where nothing changed: an earlier request may have been answered 503, or its process may have died.
    await publishNow([id]);
    if (!wanted.keepSamples) await removeSamples(id);
    return importedAs(put);
  }

  /**
   * Gives an integration the key that its senders have. The key before works on for the overlap that is set; without an overlap every
   * service knows that it is invalid when this resolves.
   *
   * @throws NotFoundError where there is no such integration; InvalidError where it has no key, or signs webhooks by a secret that
   *   the hash of a key does not give; ConflictError where another integration has the key, or a later key has replaced it;
   *   UnavailableError without an overlap, when the other services cannot be notified.
   */
  async putKey(id: string, body: ImportKeyBody): Promise<ImportResult> {
    const { clock, keyOverlapMs, publishNow, store } = this.#options;
    const before = await store.find(id);
    if (before === undefined) throw notFound(id);
    if (before.key === undefined) throw InvalidError.about('identifier', `[${before.name}] has no key.`);
    const key = importedKey(body, before.type);
    const now = clock.now();
    const validUntil = new Date(now.getTime() + keyOverlapMs);
    const put = await store.putKey(id, key.hash, (present) => withImportedKey(present, key, { now, validUntil }));
    if (put === undefined) throw notFound(id);
    if (keyOverlapMs === 0) await publishNow([id]);
    return importedAs(put);
  }

  /** Everything that the body names; the integration may go on naming what is deleted (E10). */
  async #found(body: IntegrationBody, before: Integration | undefined): Promise<FoundReferences> {
    const { references } = this.#options;
    const known = before === undefined ? [] : namedBy(before);
    const found = await foundReferences({ references, known, teamId: undefined }, body, () => undefined);
    const shown = before && { onCall: before.chat?.onCall ?? [], ownerTeamId: before.ownerTeam?.id };
    return { ...found, onCall: await foundOnCall(references, body, found.ownerTeam?.id, shown) };
  }

  #made(id: string, body: IntegrationBody, found: FoundReferences): Integration {
    const { clock, newId } = this.#options;
    const key = integrationKind(body.type) === 'email' ? undefined : keyOf(newId(), body.type);
    return newIntegration(body, found, { id, createdAt: clock.now(), key });
  }

  /** The present integration with what is wanted; the same value where nothing differs but names of other things (E10). */
  #changed(present: Integration, wanted: Parameters<typeof replaced>[1] & Pick<Integration, 'actions'>): Integration {
    const next = { ...replaced(present, wanted), actions: wanted.actions };
    const named = withPresentNames(this.#options.references, { ...present, version: next.version });
    return isSame(named, next) ? present : next;
  }
}

/** Actions are up to a million characters, and their text is how they are stored. */
function isSame({ actions, ...one }: Integration, { actions: others, ...other }: Integration): boolean {
  return (
    isDeepStrictEqual(withoutAbsent(one), withoutAbsent(other)) && JSON.stringify(actions) === JSON.stringify(others)
  );
}

/** As it is when it is stored and read again: absent fields are not there. */
const withoutAbsent = (integration: object): unknown => JSON.parse(JSON.stringify(integration));

function importedKey(body: ImportKeyBody, type: string): Key {
  if ('apiKey' in body) return keyOf(body.apiKey, type);
  if (integrationKind(type) === 'webhook')
    throw InvalidError.ofFields({ sha256: 'is not enough for a Webhook, which is signed with the key: send apiKey' });
  return { hash: body.sha256 };
}
