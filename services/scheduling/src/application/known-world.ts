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

/** The configuration of one moment with the users and teams of the replicas, and those asked of their owner since. */
export class KnownWorld implements World {
  readonly configuration: Configuration;
  readonly #users: ReplicaView<UserState>;
  readonly #teams: ReplicaView<TeamState>;
  readonly #asked = new Map<string, UserState | TeamState | undefined>();

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

  /**
   * Asks the owner for those users and teams of `mentions` that are not known, each once: what was created a moment ago is
   * found. True when something was found.
   *
   * @throws UnavailableError when the owner cannot be asked.
   */
  async learn(mentions: readonly Mention[]): Promise<boolean> {
    const found = await Promise.all(mentions.map((mention) => this.#ask(mention)));
    return found.includes(true);
  }

  async #ask({ type, id }: Mention): Promise<boolean> {
    const key = `${type}:${id}`;
    if (this.#asked.has(key) || this[type](id) !== undefined) return false;
    if (type !== 'user' && type !== 'team') return false;
    this.#asked.set(key, undefined);
    try {
      const state = await (type === 'user' ? this.#users.fetch('id', id) : this.#teams.fetch('id', id));
      this.#asked.set(key, state);
      return state !== undefined;
    } catch (error) {
      this.#asked.delete(key);
      throw error;
    }
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
