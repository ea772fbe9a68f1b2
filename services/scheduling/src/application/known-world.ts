import { setTimeout as pause } from 'node:timers/promises';
import type { TeamState, UserState } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import type { ReplicaView } from '@tocsin/messaging';
import type { Configuration } from '../domain/configuration.ts';
import type { Escalation } from '../domain/escalation.ts';
import { mentionsOf, type Mention } from '../domain/mentions.ts';
import type { Forwardings } from '../domain/on-call/forwardings.ts';
import type { Schedule } from '../domain/schedule.ts';
import type { World } from '../domain/world.ts';
import type { ConfigurationStore } from '../ports/configuration-store.ts';

/** Real time that all look-ups of one world may take together. */
const LOOK_UPS_MS = 2_000;

/** The configuration of one moment with the users and teams of the replicas, and those asked of their owner since. */
export class KnownWorld implements World {
  readonly configuration: Configuration;
  readonly #users: ReplicaView<UserState>;
  readonly #teams: ReplicaView<TeamState>;
  readonly #asked = new Map<string, UserState | TeamState | undefined>();
  readonly #unanswered = new Set<string>();
  #budget: Promise<never> | undefined;
  #isAway = false;

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
    return this.#teams.get(id) ?? (this.#asked.get(`team:${id}`) as TeamState | undefined);
  }

  user(id: string): UserState | undefined {
    return this.#users.get(id) ?? (this.#asked.get(`user:${id}`) as UserState | undefined);
  }

  /** Whether the owner of somebody unknown was asked, or was to be, and did not answer. */
  isUnanswered({ type, id }: Mention): boolean {
    return this.#unanswered.has(`${type}:${id}`);
  }

  /**
   * Asks the owner for those users and teams of `mentions` that are not known, each once: what was created a moment ago is
   * found. True when something was found. Everything that this world asks for takes 2 s together at most, and once the owner
   * is away it is not asked again: whoever needs one answer of many is not held up by each.
   *
   * @throws UnavailableError when the owner cannot be asked.
   */
  async learn(mentions: readonly Mention[]): Promise<boolean> {
    const found = await Promise.all(mentions.map((mention) => this.#ask(mention)));
    return found.includes(true);
  }

  /**
   * As `learn`, but for owners who cannot be asked: whom they were to name is unanswered from then on, and nobody else is. All
   * questions are waited for, because whoever is neither known nor unanswered counts as gone.
   */
  async learnFromWhoAnswers(mentions: readonly Mention[]): Promise<boolean> {
    const answers = await Promise.allSettled(mentions.map((mention) => this.#ask(mention)));
    for (const answer of answers)
      if (answer.status === 'rejected' && !(answer.reason instanceof UnavailableError)) throw answer.reason;
    return answers.some((answer) => answer.status === 'fulfilled' && answer.value);
  }

  async #ask({ type, id }: Mention): Promise<boolean> {
    const key = `${type}:${id}`;
    if (this.#asked.has(key) || this[type](id) !== undefined) return false;
    if (type !== 'user' && type !== 'team') return false;
    this.#asked.set(key, undefined);
    try {
      if (this.#isAway) throw new UnavailableError('The directory does not answer.');
      const asking: Promise<UserState | TeamState | undefined> =
        type === 'user' ? this.#users.fetch('id', id) : this.#teams.fetch('id', id);
      const state = await Promise.race([asking, this.#outOfTime()]);
      this.#asked.set(key, state);
      return state !== undefined;
    } catch (error) {
      this.#asked.delete(key);
      if (error instanceof UnavailableError) {
        this.#isAway = true;
        this.#unanswered.add(key);
      }
      throw error;
    }
  }

  /** Fails when the time for all look-ups is over, which begins with the first. */
  #outOfTime(): Promise<never> {
    this.#budget ??= pause(LOOK_UPS_MS, undefined, { ref: false }).then(() => {
      throw new UnavailableError('The directory does not answer in time.');
    });
    return this.#budget;
  }
}

/** Opens the world as it is now. */
export class Worlds {
  readonly #ports: { store: ConfigurationStore; users: ReplicaView<UserState>; teams: ReplicaView<TeamState> };

  constructor(ports: { store: ConfigurationStore; users: ReplicaView<UserState>; teams: ReplicaView<TeamState> }) {
    this.#ports = ports;
  }

  /** @throws UnavailableError when the store is away. */
  async open(): Promise<KnownWorld> {
    const { store, users, teams } = this.#ports;
    return new KnownWorld(await store.current(), users, teams);
  }

  /** The world in which the names of whoever `things` mention are known, as far as they can be asked for. */
  async about(things: readonly (Schedule | Escalation)[]): Promise<KnownWorld> {
    const owners = things.flatMap(({ ownerTeamId: id }) => (id === undefined ? [] : [{ type: 'team', id } as const]));
    return this.knowing([...things.flatMap(mentionsOf), ...owners]);
  }

  /** The world in which the names of `mentions` are known, as far as they can be asked for. */
  async knowing(mentions: readonly Mention[]): Promise<KnownWorld> {
    const world = await this.open();
    await world.learn(mentions).catch((error: unknown) => {
      // A name that cannot be asked for is left out; the ids are known anyway.
      if (!(error instanceof UnavailableError)) throw error;
    });
    return world;
  }
}

/**
 * What `answer` says of `world` once everybody is known to whom it leads, as far as they can be asked for. Each round
 * opens what the last one found, so there are no more rounds than layers.
 *
 * @throws UnavailableError when an owner cannot be asked.
 */
export async function learnt<T extends { readonly unknown: readonly Mention[] }>(
  world: KnownWorld,
  answer: (world: World) => T,
): Promise<T> {
  for (;;) {
    const found = answer(world);
    if (!(await world.learn(found.unknown))) return found;
  }
}
