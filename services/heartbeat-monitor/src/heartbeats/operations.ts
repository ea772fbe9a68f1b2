import { isDeepStrictEqual } from 'node:util';
import type { CreateHeartbeatBody, Reference, UpdateHeartbeatBody } from '@tocsin/api';
import { type Clock, ConflictError, InvalidError, NotFoundError, type Put } from '@tocsin/core';
import type { TeamState } from '@tocsin/events';
import {
  accessTo,
  boundTeam,
  type Principal,
  requireOwnership,
  requireWrite,
  sendingIntegration,
  teamKeyRefused,
} from '@tocsin/http';
import type { ReplicaView } from '@tocsin/kafka';
import { bytesOf, requireBytesOfTeam } from '@tocsin/rules';
import {
  applyChange,
  applyContent,
  applyDisable,
  applyEnable,
  applyPing,
  ContendedError,
  type Heartbeat,
} from './heartbeat.ts';
import type { HeartbeatStore } from './store.ts';
import type { HeartbeatTask } from './task.ts';

/** The parts of {@link Heartbeats}. */
export interface HeartbeatsOptions {
  readonly store: HeartbeatStore;
  readonly teams: ReplicaView<TeamState>;
  readonly task: Pick<HeartbeatTask, 'track'>;
  readonly clock: Clock;
  /** A fresh random UUID each time. */
  readonly newId: () => string;
}

/** A heartbeat with its team. A deleted team is undefined (S12). */
export interface HeartbeatWithTeam extends Heartbeat {
  readonly ownerTeam: { readonly id: string; readonly name: string } | undefined;
}

/** The operations on heartbeats (part 1, 4.3; H1 to H7). The key of a team reaches the heartbeats of its team alone (K4). */
export class Heartbeats {
  readonly #options: HeartbeatsOptions;

  constructor(options: HeartbeatsOptions) {
    this.#options = options;
  }

  /**
   * It can expire from its first ping on, or from the request that enables it (H1).
   *
   * @throws NotFoundError when the team does not exist; ConflictError when the name is taken; InvalidError when the team would
   *   have too many bytes of heartbeats.
   */
  async create(body: CreateHeartbeatBody, principal: Principal): Promise<HeartbeatWithTeam> {
    const heartbeat = await this.#described(body, principal);
    await this.#checkSize(heartbeat, undefined);
    if (await this.#options.store.insert(heartbeat)) return this.#withTeam(heartbeat);
    throw new ConflictError(`Heartbeat with name [${body.name}] already exists.`);
  }

  /**
   * Creates the heartbeat of this name, or makes it what the body says (I3). One that exists keeps its last ping and whether it is expired
   * as {@link applyContent} says.
   *
   * @throws as {@link create}, but for the name; InvalidError when the body has another name.
   */
  async put(name: string, body: CreateHeartbeatBody, caller: Principal): Promise<Put<Heartbeat>> {
    requireName(name, body.name);
    const heartbeat = await this.#described(body, caller);
    await this.#checkSize(heartbeat, await this.#options.store.find(name));
    // Another request may create it in between.
    const put = (await this.#replace(heartbeat)) ?? (await this.#insert(heartbeat)) ?? (await this.#replace(heartbeat));
    if (put === undefined) throw new ContendedError(`Heartbeat [${name}] is created and deleted too often.`);
    return put;
  }

  /** @throws NotFoundError when there is none; ForbiddenError when it is not of the caller's team. */
  async get(name: string, caller: Principal): Promise<HeartbeatWithTeam> {
    const found = await this.#options.store.find(name);
    if (found === undefined) throw notFound(name);
    return this.#withTeam(readable(found, caller));
  }

  /** Those that the caller may see, in the order of their creation. */
  async list(caller: Principal): Promise<readonly HeartbeatWithTeam[]> {
    const all = await this.#options.store.list(boundTeam(caller));
    return Promise.all(all.map((heartbeat) => this.#withTeam(heartbeat)));
  }

  /**
   * Resolves when the ping is on disk (H3); one of an unknown or disabled heartbeat changes nothing (H2).
   *
   * @throws ForbiddenError when the heartbeat is not of the caller's team.
   */
  async ping(name: string, caller: Principal): Promise<void> {
    const { store, clock, task } = this.#options;
    const at = clock.now();
    await task.track(name, at, async () => {
      if (await store.pingInTime(name, at, boundTeam(caller))) return;
      await store.change(name, (present) => applyPing(readable(present, caller), at));
    });
  }

  /** Counts as a ping (H3). @throws as {@link get}. */
  enable(name: string, caller: Principal): Promise<Heartbeat> {
    return this.#change(name, caller, applyEnable);
  }

  /** Its alert is closed (H4). @throws as {@link get}. */
  disable(name: string, caller: Principal): Promise<Heartbeat> {
    return this.#change(name, caller, applyDisable);
  }

  /** Its alert is closed (H4). @throws as {@link get}. */
  async delete(name: string, caller: Principal): Promise<void> {
    await this.#change(name, caller, applyDisable, 'remove');
  }

  /**
   * Fields that the body leaves out stay; a body with the interval begins a new one (H2). The heartbeat of a team key stays with its
   * team.
   *
   * @throws as {@link get}; NotFoundError when the team does not exist; InvalidError when the body names it otherwise, or the team
   *   would have too many bytes of heartbeats.
   */
  async update(name: string, body: UpdateHeartbeatBody, caller: Principal): Promise<Heartbeat> {
    // The right of the caller is checked before the body.
    const before = await this.get(name, caller);
    this.#writable(before, caller);
    const { name: named = name, ownerTeam, ...rest } = body;
    requireName(name, named);
    const change = { ...rest, ownerTeamId: ownerTeam && (await this.#owner(ownerTeam, caller)) };
    await this.#checkSize(applyChange(before, change, this.#options.clock.now()), before);
    return this.#change(name, caller, (present, at) => applyChange(present, change, at));
  }

  /** The heartbeat that a body describes, as it is when it is created. */
  async #described(body: CreateHeartbeatBody, caller: Principal): Promise<Heartbeat> {
    const { clock, newId } = this.#options;
    return {
      id: newId(),
      name: body.name,
      createdAt: clock.now(),
      description: body.description ?? '',
      interval: body.interval,
      intervalUnit: body.intervalUnit,
      enabled: body.enabled ?? false,
      ownerTeamId: await this.#owner(body.ownerTeam, caller),
      alertMessage: body.alertMessage,
      alertTags: body.alertTags ?? [],
      alertPriority: body.alertPriority,
      createdBy: { ownerTeamId: undefined, ...sendingIntegration(caller) },
      lastPingAt: undefined,
      expiresAt: undefined,
      nextDueAt: undefined,
      step: 0,
      steppedAt: undefined,
    };
  }

  /** Undefined where there is none of that name. */
  async #replace(wanted: Heartbeat): Promise<Put<Heartbeat> | undefined> {
    const { store, clock, task } = this.#options;
    const { name } = wanted;
    let present: Heartbeat | undefined;
    const entity = await task.track(name, clock.now(), () =>
      store.change(name, (before) => {
        present = before;
        const next = applyContent(before, wanted, clock.now());
        return isDeepStrictEqual(next, before) ? before : next;
      }),
    );
    return entity && { entity, present };
  }

  /** Undefined where there is one of that name. */
  async #insert(wanted: Heartbeat): Promise<Put<Heartbeat> | undefined> {
    return (await this.#options.store.insert(wanted)) ? { entity: wanted, present: undefined } : undefined;
  }

  async #change(
    name: string,
    caller: Principal,
    change: (present: Heartbeat, at: Date) => Heartbeat,
    method: 'change' | 'remove' = 'change',
  ): Promise<Heartbeat> {
    const { store, clock, task } = this.#options;
    const found = await task.track(name, clock.now(), () =>
      store[method](name, (present) => change(this.#writable(present, caller), clock.now())),
    );
    if (found === undefined) throw notFound(name);
    return found;
  }

  /** Writes at the same moment may pass the limit together: it bounds the memory of a process, and is not exact. */
  async #checkSize(next: Heartbeat, before: Heartbeat | undefined): Promise<void> {
    const { ownerTeamId } = next;
    if (ownerTeamId === undefined) return;
    const gained = sizeOf(next) - (before?.ownerTeamId === ownerTeamId ? sizeOf(before) : 0);
    if (gained > 0) requireBytesOfTeam('heartbeats', gained, await this.#options.store.bytesOfTeam(ownerTeamId));
  }

  /**
   * The owner team of a heartbeat. What the key of a team creates belongs to its team, whatever the body names (K4).
   *
   * @throws ForbiddenError when a person may not give the team a heartbeat, or leave one without (K12).
   */
  async #owner(reference: Reference | undefined, caller: Principal): Promise<string | undefined> {
    const bound = boundTeam(caller);
    if (bound !== undefined) return bound;
    const team = reference && (await this.#team(reference));
    requireOwnership({ ownerTeamId: team?.id, teamName: team?.name, kind: 'a heartbeat' }, caller);
    return team?.id;
  }

  async #team(reference: Reference): Promise<TeamState> {
    const [index, value] = reference.id === undefined ? ['name', reference.name ?? ''] : ['id', reference.id];
    const team = await this.#options.teams.fetch(index, value);
    if (team === undefined) throw new NotFoundError(`Team with ${index} [${value}] does not exist.`);
    return team;
  }

  /** @throws ForbiddenError when the heartbeat is not of the key's team, or the person may not change it (K4, K12). */
  #writable(heartbeat: Heartbeat, caller: Principal): Heartbeat {
    const { name, ownerTeamId } = heartbeat;
    const teamName = ownerTeamId === undefined ? undefined : this.#options.teams.get(ownerTeamId)?.name;
    requireWrite({ ownerTeamId, teamName, action: `change heartbeat [${name}]` }, caller);
    return heartbeat;
  }

  async #withTeam(heartbeat: Heartbeat): Promise<HeartbeatWithTeam> {
    const { ownerTeamId } = heartbeat;
    const team = ownerTeamId === undefined ? undefined : await this.#options.teams.fetch('id', ownerTeamId);
    return { ...heartbeat, ownerTeam: team && { id: team.id, name: team.name } };
  }
}

/** The size of what callers write. */
const sizeOf = ({ name, description, alertMessage, alertTags }: Heartbeat): number =>
  bytesOf([name, description, alertMessage, alertTags]);

/** @throws ForbiddenError when it is not of the key's team (K4). */
function readable(heartbeat: Heartbeat, caller: Principal): Heartbeat {
  if (accessTo(heartbeat, caller) === 'none') throw teamKeyRefused();
  return heartbeat;
}

const notFound = (name: string) => new NotFoundError(`Heartbeat with name [${name}] does not exist.`);

/** @throws InvalidError when a body has another name than its path. */
function requireName(name: string, named: string): void {
  if (named !== name) throw InvalidError.ofFields({ name: `should be [${name}]: a heartbeat keeps its name` });
}
