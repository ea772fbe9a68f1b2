import { isDeepStrictEqual } from 'node:util';
import { type IdsOf, type NameField, namesIn, parseQuery, type Query } from '@tocsin/rules';
import type { CreateSavedSearchBody, Reference, UpdateSavedSearchBody } from '@tocsin/api';
import { type Clock, ForbiddenError, InvalidError, NotFoundError, UnavailableError } from '@tocsin/core';
import { mayName, type ResponderReference, ResponderType } from '@tocsin/events';
import { boundTeam, type ImportResult, importedAs, mayActAs, type Principal, teamKeyRefused } from '@tocsin/http';
import type { Search } from '../alerts/listing.ts';
import { existing, lookUp, type ResponderDirectory } from '../responders/client.ts';
import { type ListedSearch, mayUse, type SavedSearch, type SavedSearchReference } from './saved-search.ts';
import type { SavedSearchChange, SavedSearchStore } from './store.ts';

/** A key of a team creates no saved search while so many name the team. */
const MAX_OF_TEAM = 1_000;

export interface SavedSearchesDependencies {
  readonly store: SavedSearchStore;
  readonly directory: ResponderDirectory;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** The operations on saved searches (wire facts 4). A team's key finds only those that name its team (K4). */
export class SavedSearches {
  readonly #parts: SavedSearchesDependencies;

  constructor(parts: SavedSearchesDependencies) {
    this.#parts = parts;
  }

  /**
   * Saves a search. The team of the key is always one of its teams, named or not.
   *
   * @throws InvalidError when the query is invalid, or the team of the key has as many as it may; NotFoundError when the owner or a team does not exist;
   * ConflictError when the name is taken; ForbiddenError when a person names another owner (K12); UnavailableError when the owner of a
   * reference can not be asked.
   */
  async create(body: CreateSavedSearchBody, caller: Principal): Promise<SavedSearch> {
    readQuery(body.query);
    const { store, clock, newId } = this.#parts;
    const teamId = boundTeam(caller);
    // Creations at the same moment may each find room: the bound is not exact.
    if (teamId !== undefined && (await store.countOfTeam(teamId, MAX_OF_TEAM)) >= MAX_OF_TEAM)
      throw InvalidError.about('teams', `A team has at most ${MAX_OF_TEAM} saved searches.`);
    const createdAt = clock.now();
    const ownerId = await this.#ownerId(body.owner, caller);
    const { name, query, description = '' } = body;
    const search: SavedSearch = {
      id: newId(),
      name,
      query,
      description,
      createdAt,
      updatedAt: createdAt,
      ownerId,
      teamIds: await this.#teamIds(body.teams ?? [], teamId),
    };
    await store.insert(search);
    return search;
  }

  /**
   * Creates the search of another account with its id, or replaces it. Only keys of the account may do that (I1).
   *
   * @throws as {@link create}.
   */
  async put(id: string, body: CreateSavedSearchBody, caller: Principal): Promise<ImportResult> {
    const { description = '', name, owner, query, teams = [] } = body;
    readQuery(query);
    const { clock, store } = this.#parts;
    const ownerId = await this.#ownerId(owner, caller);
    const wanted = { name, query, description, ownerId, teamIds: await this.#teamIds(teams, boundTeam(caller)) };
    const put = await store.put(id, (present) => {
      const updatedAt = clock.now();
      if (present === undefined) return { id, createdAt: updatedAt, ...wanted, updatedAt };
      return isDeepStrictEqual({ ...present, ...wanted }, present) ? present : { ...present, ...wanted, updatedAt };
    });
    return importedAs(put);
  }

  /** @throws NotFoundError when there is none. */
  async get(reference: SavedSearchReference, teamId: string | undefined): Promise<SavedSearch> {
    const search = await this.#parts.store.find(reference);
    if (search !== undefined && mayUse(search, teamId)) return search;
    throw unknownSearch(reference);
  }

  /** In order of creation. */
  async list(teamId: string | undefined): Promise<readonly ListedSearch[]> {
    return this.#parts.store.list(teamId);
  }

  /** @throws as {@link create} and {@link get}; ForbiddenError when it belongs to another person than the caller (K12). */
  async update(reference: SavedSearchReference, body: UpdateSavedSearchBody, caller: Principal): Promise<SavedSearch> {
    const teamId = boundTeam(caller);
    const { id, teamIds } = await this.#writable(reference, caller);
    if (body.query !== undefined) readQuery(body.query);
    const { name, query, description, owner, teams } = body;
    const change: SavedSearchChange = {
      ...(name !== undefined && { name }),
      ...(query !== undefined && { query }),
      ...(description !== undefined && { description }),
      ...(owner !== undefined && { ownerId: await this.#ownerId(owner, caller) }),
      ...(teams !== undefined && { teamIds: await this.#teamIds(teams, teamId, teamIds) }),
      updatedAt: this.#parts.clock.now(),
    };
    const changed = await this.#parts.store.change(id, change, (present) => {
      requireSearchWrite(present, reference, caller);
    });
    // It was deleted in between.
    return changed ?? this.get({ type: 'id', value: id }, teamId);
  }

  /** @throws NotFoundError when there is none; ForbiddenError when it belongs to another person than the caller (K12). */
  async remove(reference: SavedSearchReference, caller: Principal): Promise<void> {
    const { id } = await this.#writable(reference, caller);
    await this.#parts.store.remove(id, (present) => {
      requireSearchWrite(present, reference, caller);
    });
  }

  async #writable(reference: SavedSearchReference, caller: Principal): Promise<SavedSearch> {
    const search = await this.get(reference, boundTeam(caller));
    requireSearchWrite(search, reference, caller);
    return search;
  }

  async #ownerId(owner: Reference, caller: Principal): Promise<string> {
    if (!mayActAs(owner.id ?? owner.name ?? '', caller))
      throw new ForbiddenError('Only an admin of the account can give a saved search to another user.');
    return this.#idOf('user', owner);
  }

  /** @throws ForbiddenError when the key of a team shares a search with a team that does not have it yet (K9). */
  async #teamIds(
    teams: readonly Reference[],
    teamId: string | undefined,
    kept: readonly string[] = [],
  ): Promise<readonly string[]> {
    const ids = await Promise.all(teams.map((team) => this.#idOf('team', team)));
    if (ids.some((id) => !kept.includes(id) && !mayName({ ownerTeamId: id }, teamId))) throw teamKeyRefused();
    return [...new Set(teamId === undefined ? ids : [...ids, teamId])];
  }

  async #idOf(type: 'user' | 'team', { id, name }: Reference): Promise<string> {
    const reference: ResponderReference = id === undefined ? { type, name } : { type, id };
    return existing(await this.#parts.directory.resolve(reference), reference, type === 'user' ? 'User' : 'Team').id;
  }
}

const unknownSearch = ({ type, value }: SavedSearchReference) =>
  new NotFoundError(`Saved search does not exist with ${type}: ${value}`);

/** @throws NotFoundError when it does not name the key's team (K4); ForbiddenError when it belongs to another person (K12). */
function requireSearchWrite(search: SavedSearch, reference: SavedSearchReference, caller: Principal): void {
  if (!mayUse(search, boundTeam(caller))) throw unknownSearch(reference);
  if (!mayActAs(search.ownerId, caller))
    throw new ForbiddenError('Only the owner of the saved search, or an admin of the account, can change it.');
}

/**
 * The search that `text` asks for; undefined if it matches every alert (A11).
 *
 * @throws InvalidError when it is no valid query, with the position and what was expected there; UnavailableError when
 * the owner of a name in it can not be asked.
 */
export async function searchFor(text: string, directory: ResponderDirectory): Promise<Search | undefined> {
  const query = readQuery(text);
  if (query === undefined) return undefined;
  const references = namesIn(query).flatMap(({ field, value }) => referencesOf(field, value));
  return { query, idsOf: idsBy(await lookUp(references, directory)) };
}

/** Parses `text`, without looking up its names. @throws InvalidError as {@link searchFor}. */
function readQuery(text: string): Query | undefined {
  const parsed = parseQuery(text);
  if (parsed.kind === 'query') return parsed.query;
  throw InvalidError.ofFields({ query: `at character ${parsed.position}: ${parsed.reason}` });
}

/** The value itself counts as an id, so that ids of deleted things are found without a look-up. */
function idsBy(resolve: Awaited<ReturnType<typeof lookUp>>): IdsOf {
  return (field, value) => {
    const resolutions = referencesOf(field, value).map(resolve);
    if (resolutions.some(({ kind }) => kind === 'unreachable'))
      throw new UnavailableError('What the query names can not be looked up.');
    return [value, ...resolutions.flatMap((found) => (found.kind === 'known' ? [found.id] : []))];
  };
}

function referencesOf(field: NameField, name: string): readonly ResponderReference[] {
  const types = field === 'teams' ? (['team'] as const) : ResponderType.options;
  return types.map((type) => ({ type, name }));
}
