import type { Clock } from '@tocsin/clock';
import {
  mayName,
  type CreateSavedSearchBody,
  type Reference,
  type ResponderReference,
  type UpdateSavedSearchBody,
} from '@tocsin/contracts';
import { InvalidError, NotFoundError } from '@tocsin/errors';
import { teamKeyRefused } from '@tocsin/key-auth';
import { mayUse, type ListedSearch, type SavedSearch, type SavedSearchReference } from '../domain/saved-search.ts';
import type { ResponderDirectory } from '../ports/responder-directory.ts';
import type { SavedSearchChange, SavedSearchStore } from '../ports/saved-search-store.ts';
import { existing } from './responder-look-up.ts';
import { readQuery } from './search.ts';

/** A key of a team creates no saved search while so many name the team. */
const MOST_OF_TEAM = 1_000;

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
   * ConflictError when the name is taken; UnavailableError when the owner of a reference can not be asked.
   */
  async create(body: CreateSavedSearchBody, teamId: string | undefined): Promise<SavedSearch> {
    readQuery(body.query);
    const { store, clock, newId } = this.#parts;
    // Creations at the same moment may each find room: the bound is not exact.
    if (teamId !== undefined && (await store.countOfTeam(teamId, MOST_OF_TEAM)) >= MOST_OF_TEAM)
      throw InvalidError.about('teams', `A team has at most ${MOST_OF_TEAM} saved searches.`);
    const createdAt = clock.now();
    const { name, query, description = '' } = body;
    const search: SavedSearch = {
      id: newId(),
      name,
      query,
      description,
      createdAt,
      updatedAt: createdAt,
      ownerId: await this.#idOf('user', body.owner),
      teamIds: await this.#teamIds(body.teams ?? [], teamId),
    };
    await store.insert(search);
    return search;
  }

  /** @throws NotFoundError when there is none. */
  async get(reference: SavedSearchReference, teamId: string | undefined): Promise<SavedSearch> {
    const search = await this.#parts.store.find(reference);
    if (search !== undefined && mayUse(search, teamId)) return search;
    throw new NotFoundError(`Saved search does not exist with ${reference.type}: ${reference.value}`);
  }

  /** In order of creation. */
  async list(teamId: string | undefined): Promise<readonly ListedSearch[]> {
    return this.#parts.store.list(teamId);
  }

  /** @throws as {@link create} and {@link get}. */
  async update(
    reference: SavedSearchReference,
    body: UpdateSavedSearchBody,
    teamId: string | undefined,
  ): Promise<SavedSearch> {
    const { id, teamIds } = await this.get(reference, teamId);
    if (body.query !== undefined) readQuery(body.query);
    const { name, query, description, owner, teams } = body;
    const change: SavedSearchChange = {
      ...(name !== undefined && { name }),
      ...(query !== undefined && { query }),
      ...(description !== undefined && { description }),
      ...(owner !== undefined && { ownerId: await this.#idOf('user', owner) }),
      ...(teams !== undefined && { teamIds: await this.#teamIds(teams, teamId, teamIds) }),
      updatedAt: this.#parts.clock.now(),
    };
    const changed = await this.#parts.store.change(id, change);
    // It was deleted in between.
    return changed ?? this.get({ type: 'id', value: id }, teamId);
  }

  /** @throws NotFoundError when there is none. */
  async remove(reference: SavedSearchReference, teamId: string | undefined): Promise<void> {
    const { id } = await this.get(reference, teamId);
    await this.#parts.store.remove(id);
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
