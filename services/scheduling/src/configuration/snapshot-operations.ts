import { setTimeout as pause } from 'node:timers/promises';
import type { TeamState, UserState } from '@tocsin/events';
import { inSteps, longWork, UnavailableError, type Steps } from '@tocsin/core';
import type { ReplicaView } from '@tocsin/kafka';
import type { Escalation } from '../escalations/escalation.ts';
import type { Forwardings } from '../forwarding/forwarding.ts';
import type { Schedule } from '../schedules/schedule.ts';
import type { Configuration, ConfigurationAccess } from './configuration.ts';
import { type Mention, mentionsOf } from './mentions.ts';
import type { Snapshot } from './snapshot.ts';

/** All look-ups of one snapshot together take this long at most, real time. */
const LOOK_UPS_MS = 2_000;

/** The most schedules or escalations whose names are looked up together. */
const MAX_NAMED_AT_ONCE = 100;

/** The configuration at one moment, with users and teams: those of the replicas, and those that directory answered. */
export class LoadedSnapshot implements Snapshot {
  readonly configuration: Configuration;
  readonly #users: ReplicaView<UserState>;
  readonly #teams: ReplicaView<TeamState>;
  readonly #fetched = new Map<string, UserState | TeamState | undefined>();
  #timeout: Promise<never> | undefined;
  #isUnavailable = false;

  constructor(configuration: Configuration, users: ReplicaView<UserState>, teams: ReplicaView<TeamState>) {
    this.configuration = configuration;
    this.#users = users;
    this.#teams = teams;
  }

  get forwardings(): Forwardings {
    return this.configuration.forwardings;
  }

  schedule(id: string): Schedule | undefined {
    return this.configuration.schedules.get(id);
  }

  escalation(id: string): Escalation | undefined {
    return this.configuration.escalations.get(id);
  }

  team(id: string): TeamState | undefined {
    return this.#teams.get(id) ?? (this.#fetched.get(`team:${id}`) as TeamState | undefined);
  }

  user(id: string): UserState | undefined {
    return this.#users.get(id) ?? (this.#fetched.get(`user:${id}`) as UserState | undefined);
  }

  /** Whether directory did not answer for an unknown user or team, or had no request for it. */
  isUnanswered({ type, id }: Mention): boolean {
    return (type === 'user' || type === 'team') && this[type](id) === undefined && !this.#fetched.has(`${type}:${id}`);
  }

  /**
   * Requests from directory the users and teams of `mentions` that are not known, each once. True when one was found: the replica
   * may lag behind their creation. All requests of this snapshot together take 2 s at most, and after a
   * failure there are no more, so that a caller with many requests waits only once.
   *
   * @throws UnavailableError when directory does not answer.
   */
  async load(mentions: readonly Mention[]): Promise<boolean> {
    const found = await Promise.all(this.#unknownOf(mentions).map((mention) => this.#request(mention)));
    return found.includes(true);
  }

  /**
   * As `load`, but it does not throw where directory does not answer: the mention is unanswered from then on. Waits for all answers,
   * because a user who is neither known nor unanswered counts as deleted.
   */
  async tryLoad(mentions: readonly Mention[]): Promise<boolean> {
    const answers = await Promise.allSettled(this.#unknownOf(mentions).map((mention) => this.#request(mention)));
    for (const answer of answers)
      if (answer.status === 'rejected' && !(answer.reason instanceof UnavailableError)) throw answer.reason;
    return answers.some((answer) => answer.status === 'fulfilled' && answer.value);
  }

  /** The mentions that are not known. Nearly all are known, and there may be tens of thousands of them. */
  #unknownOf(mentions: readonly Mention[]): readonly Mention[] {
    return mentions.filter(({ type, id }) => this[type](id) === undefined);
  }

  async #request({ type, id }: Mention): Promise<boolean> {
    const key = `${type}:${id}`;
    if (this.#fetched.has(key) || this[type](id) !== undefined) return false;
    if (type !== 'user' && type !== 'team') return false;
    this.#fetched.set(key, undefined);
    try {
      if (this.#isUnavailable) throw new UnavailableError('The directory does not answer.');
      const request: Promise<UserState | TeamState | undefined> =
        type === 'user' ? this.#users.fetch('id', id) : this.#teams.fetch('id', id);
      const state = await Promise.race([request, this.#timeoutAfterFirst()]);
      this.#fetched.set(key, state);
      return state !== undefined;
    } catch (error) {
      this.#fetched.delete(key);
      if (error instanceof UnavailableError) this.#isUnavailable = true;
      throw error;
    }
  }

  /** Rejects 2 s after the first look-up. */
  #timeoutAfterFirst(): Promise<never> {
    this.#timeout ??= pause(LOOK_UPS_MS, undefined, { ref: false }).then(() => {
      throw new UnavailableError('The directory does not answer in time.');
    });
    return this.#timeout;
  }
}

export interface SnapshotsOptions {
  readonly store: Pick<ConfigurationAccess, 'current'>;
  readonly users: ReplicaView<UserState>;
  readonly teams: ReplicaView<TeamState>;
}

/** Takes snapshots of what is configured now. */
export class Snapshots {
  readonly #options: SnapshotsOptions;

  constructor(options: SnapshotsOptions) {
    this.#options = options;
  }

  /** @throws UnavailableError when the store is unavailable. */
  async open(): Promise<LoadedSnapshot> {
    const { store, users, teams } = this.#options;
    return new LoadedSnapshot(await store.current(), users, teams);
  }

  /** A snapshot with the names of all users and teams that `things` mention, as far as their owner answers. */
  async withNamesIn(things: readonly (Schedule | Escalation)[]): Promise<LoadedSnapshot> {
    const snapshot = await this.open();
    for (let first = 0; first < things.length; first += MAX_NAMED_AT_ONCE) {
      if (longWork.isPauseDue()) await longWork.pause();
      await loadNames(snapshot, things.slice(first, first + MAX_NAMED_AT_ONCE).flatMap(namedBy));
    }
    return snapshot;
  }

  /** A snapshot with the names of `mentions`, as far as their owner answers. */
  async withNamesOf(mentions: readonly Mention[]): Promise<LoadedSnapshot> {
    const snapshot = await this.open();
    await loadNames(snapshot, mentions);
    return snapshot;
  }
}

function namedBy(thing: Schedule | Escalation): readonly Mention[] {
  const { ownerTeamId: id } = thing;
  return id === undefined ? mentionsOf(thing) : [...mentionsOf(thing), { type: 'team', id }];
}

/** A name for which directory does not answer is left out; the ids are known anyway. */
async function loadNames(snapshot: LoadedSnapshot, mentions: readonly Mention[]): Promise<void> {
  await snapshot.load(mentions).catch((error: unknown) => {
    if (!(error instanceof UnavailableError)) throw error;
  });
}

/**
 * Repeats `answer` until all users and teams to which it leads are loaded. Each repetition looks up what the one before found, so there are
 * no more repetitions than levels of teams and escalations.
 *
 * @throws UnavailableError when directory does not answer.
 */
export async function untilLoaded<T extends { readonly unknown: readonly Mention[] }>(
  snapshot: LoadedSnapshot,
  answer: (snapshot: Snapshot) => T,
): Promise<T> {
  for (;;) {
    const found = answer(snapshot);
    if (!(await snapshot.load(found.unknown))) return found;
  }
}

/** As {@link untilLoaded}, for an answer that is made in steps. */
export async function untilLoadedInSteps<T extends { readonly unknown: readonly Mention[] }>(
  snapshot: LoadedSnapshot,
  answer: (snapshot: Snapshot) => Steps<T>,
): Promise<T> {
  for (;;) {
    const found = await inSteps(answer(snapshot));
    if (!(await snapshot.load(found.unknown))) return found;
  }
}
