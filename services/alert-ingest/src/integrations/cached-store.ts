import { withTimeout, UnavailableError, type Put } from '@tocsin/core';
import { compareVersions } from '@tocsin/events';
import type { Integration } from './integration.ts';
import type { Rules } from '../alerts/sent-alert.ts';
import type { IntegrationFilter, IntegrationStoreMethods, ListedIntegration } from './store.ts';

/** Pause before a read that failed is retried; real time. */
const RETRY_MS = 1_000;
/** How long after a change alerts wait until it is read. */
const MAX_WAIT_MS = 500;

/** A re-read of an integration that has changed. It ends when a read succeeds and no change came meanwhile. */
interface Refresh {
  /** Whether a change was reported since the last read began, or that read failed. */
  isStale: boolean;
  /** When the last change was reported, in milliseconds of `performance.now()`; -Infinity without a change. */
  changedAt: number;
  /** The reads under way. */
  reading: Promise<void> | undefined;
  /** Whether a read failed and will be retried. */
  isRetried: boolean;
}

/**
 * A store with a copy of all integrations in memory, for the path of an alert. A write through it applies to the alerts accepted after
 * it at once (E13), one of another replica as soon as `markStale` is called.
 */
export class CachedIntegrations implements IntegrationStoreMethods {
  readonly #store: IntegrationStoreMethods;
  readonly #cached = new Map<string, Integration>();
  readonly #refreshes = new Map<string, Refresh>();

  constructor(store: IntegrationStoreMethods) {
    this.#store = store;
  }

  /** Caches all integrations. */
  async load(): Promise<void> {
    for (const integration of await this.#store.readAll()) this.#cache(integration);
  }

  /** Reads the integration again: another replica has changed it. */
  markStale(id: string): void {
    const refresh = this.#refreshOf(id);
    refresh.isStale = true;
    refresh.changedAt = performance.now();
    void this.#reload(id);
  }

  /**
   * The rules of an integration. Within half a second of a change they are read again first. After that, or if the read fails, the
   * cached ones apply: an outage of the database neither refuses alerts nor slows them down.
   */
  async rulesOf(id: string): Promise<Rules | undefined> {
    const refresh = this.#refreshes.get(id);
    if (!this.#cached.has(id)) await this.#reload(id);
    else if (refresh !== undefined) {
      const waitMs = refresh.changedAt + MAX_WAIT_MS - performance.now();
      const reloaded = this.#reload(id);
      if (waitMs > 0) await withTimeout(reloaded, waitMs, () => undefined);
    }
    return this.#cached.get(id);
  }

  /** Searches the cache. That an address is not in use counts only when nothing is stale. */
  async findMailbox(username: string): Promise<Integration | undefined> {
    const known = this.#findCached(username);
    const doubtful = [...this.#refreshes.keys()];
    const reloaded = Promise.all(doubtful.map((id) => this.#reload(id)));
    if (known?.enabled === true || doubtful.length === 0) return known;
    await reloaded;
    if ([...this.#refreshes.values()].some(({ isStale }) => isStale))
      throw new UnavailableError('Integrations can not be read. Please try again.');
    return this.#findCached(username);
  }

  async insert(integration: Integration): Promise<void> {
    await this.#store.insert(integration);
    this.#cache(integration);
  }

  async update(id: string, change: (current: Integration) => Integration): Promise<Integration | undefined> {
    const changed = await this.#store.update(id, change);
    if (changed !== undefined) this.#cache(changed);
    return changed;
  }

  async put(id: string, change: (present: Integration | undefined) => Integration): Promise<Put<Integration>> {
    const put = await this.#store.put(id, change);
    this.#cache(put.entity);
    return put;
  }

  async putKey(
    id: string,
    keyHash: string,
    change: (current: Integration) => Integration,
  ): Promise<Put<Integration> | undefined> {
    const put = await this.#store.putKey(id, keyHash, change);
    if (put !== undefined) this.#cache(put.entity);
    return put;
  }

  async disableOfTeam(teamId: string): Promise<readonly Integration[]> {
    const disabled = await this.#store.disableOfTeam(teamId);
    for (const integration of disabled) this.#cache(integration);
    return disabled;
  }

  forgetDeletedTeam(teamId: string): Promise<void> {
    return this.#store.forgetDeletedTeam(teamId);
  }

  async remove(id: string, check?: (present: Integration) => void): Promise<boolean> {
    const removed = await this.#store.remove(id, check);
    this.#cached.delete(id);
    return removed;
  }

  find(id: string): Promise<Integration | undefined> {
    return this.#store.find(id);
  }

  holdersOf(
    ...args: Parameters<IntegrationStoreMethods['holdersOf']>
  ): ReturnType<IntegrationStoreMethods['holdersOf']> {
    return this.#store.holdersOf(...args);
  }

  findByKeyHash(keyHash: string): Promise<Integration | undefined> {
    return this.#store.findByKeyHash(keyHash);
  }

  keepingSamples(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#store.keepingSamples(ids);
  }

  readAll(): Promise<readonly Integration[]> {
    return this.#store.readAll();
  }

  list(filter: IntegrationFilter): Promise<readonly ListedIntegration[]> {
    return this.#store.list(filter);
  }

  #findCached(username: string): Integration | undefined {
    const wanted = username.toLowerCase();
    return [...this.#cached.values()].find(({ emailUsername }) => emailUsername?.toLowerCase() === wanted);
  }

  #cache(integration: Integration): void {
    const cached = this.#cached.get(integration.id);
    if (cached === undefined || compareVersions(integration.version, cached.version) > 0)
      this.#cached.set(integration.id, integration);
  }

  #refreshOf(id: string): Refresh {
    const refresh = this.#refreshes.get(id) ?? {
      isStale: false,
      changedAt: -Infinity,
      reading: undefined,
      isRetried: false,
    };
    this.#refreshes.set(id, refresh);
    return refresh;
  }

  /** One read at a time for each. */
  #reload(id: string): Promise<void> {
    const refresh = this.#refreshOf(id);
    refresh.reading ??= this.#readUntilFresh(id, refresh);
    return refresh.reading;
  }

  /** Reads again after a change during the read. A read that fails is retried a second later. */
  async #readUntilFresh(id: string, refresh: Refresh): Promise<void> {
    do await this.#read(id, refresh);
    while (refresh.isStale && !refresh.isRetried);
    refresh.reading = undefined;
    if (!refresh.isStale) this.#refreshes.delete(id);
  }

  async #read(id: string, refresh: Refresh): Promise<void> {
    refresh.isStale = false;
    try {
      const present = await this.#store.find(id);
      if (present === undefined) this.#cached.delete(id);
      else this.#cache(present);
    } catch {
      refresh.isStale = true;
      if (!refresh.isRetried) this.#retryLater(id, refresh);
    }
  }

  #retryLater(id: string, refresh: Refresh): void {
    refresh.isRetried = true;
    setTimeout(() => {
      refresh.isRetried = false;
      // Another read may have succeeded meanwhile.
      if (this.#refreshes.get(id) === refresh) void this.#reload(id);
    }, RETRY_MS).unref();
  }
}
