import type { Clock } from '@tocsin/clock';
import type { CreateHeartbeatBody, Reference, TeamState, UpdateHeartbeatBody } from '@tocsin/contracts';
import { ConflictError, InvalidError, NotFoundError } from '@tocsin/errors';
import { teamAccess, teamKeyRefused, type Principal } from '@tocsin/key-auth';
import type { ReplicaView } from '@tocsin/messaging';
import { bytesOf, requireRoomOfTeam } from '@tocsin/rules';
import { changed, disabled, enabled, pinged, type Heartbeat } from '../domain/heartbeat.ts';
import type { HeartbeatStore } from '../ports/heartbeat-store.ts';
import type { HeartbeatWatch } from './heartbeat-watch.ts';

export interface HeartbeatsPorts {
  readonly store: HeartbeatStore;
  readonly teams: ReplicaView<TeamState>;
  readonly watch: Pick<HeartbeatWatch, 'track'>;
  readonly clock: Clock;
  /** A fresh random UUID each time. */
  readonly newId: () => string;
}

/** A heartbeat as it is shown: one whose team is deleted belongs to nobody (S12). */
export interface SeenHeartbeat extends Heartbeat {
  readonly ownerTeam: { readonly id: string; readonly name: string } | undefined;
}

type Caller = Pick<Principal, 'teamId'>;

/** What can be done with heartbeats (part 1, 4.3; H1 to H7). The key of a team has to do with the heartbeats of its team alone (K4). */
export class Heartbeats {
  readonly #ports: HeartbeatsPorts;

  constructor(ports: HeartbeatsPorts) {
    this.#ports = ports;
  }

  /**
   * It is waited for from its first ping on, or from when it is enabled by a request of its own (H1).
   *
   * @throws NotFoundError when the team does not exist; ConflictError when the name is taken; InvalidError when the team would
   *   have too many bytes of heartbeats.
   */
  async create(body: CreateHeartbeatBody, principal: Principal): Promise<SeenHeartbeat> {
    const { store, clock, newId } = this.#ports;
    const { integrationId: id, integrationName: name, integrationType: type, teamId } = principal;
    const heartbeat: Heartbeat = {
      id: newId(),
      name: body.name,
      createdAt: clock.now(),
      description: body.description ?? '',
      interval: body.interval,
      intervalUnit: body.intervalUnit,
      enabled: body.enabled ?? false,
      ownerTeamId: await this.#ownerTeam(body.ownerTeam, principal),
      alertMessage: body.alertMessage,
      alertTags: body.alertTags ?? [],
      alertPriority: body.alertPriority,
      createdBy: { id, name, type, ownerTeamId: teamId },
      lastPingAt: undefined,
      expiresAt: undefined,
      nextDueAt: undefined,
      step: 0,
      steppedAt: undefined,
    };
    await this.#refuseTooMuch(heartbeat, undefined);
    if (await store.insert(heartbeat)) return this.#seen(heartbeat);
    throw new ConflictError(`Heartbeat with name [${body.name}] already exists.`);
  }

  /** @throws NotFoundError when there is none; ForbiddenError when it is not of the caller's team. */
  async get(name: string, caller: Caller): Promise<SeenHeartbeat> {
    const found = await this.#ports.store.find(name);
    if (found === undefined) throw doesNotExist(name);
    return this.#seen(allowed(found, caller));
  }

  /** Those that the caller may see, in the order of their creation. */
  async list(caller: Caller): Promise<readonly SeenHeartbeat[]> {
    const all = await this.#ports.store.list(caller.teamId);
    return Promise.all(all.map((heartbeat) => this.#seen(heartbeat)));
  }

  /**
   * Resolves when the ping is on disk (H3); one of an unknown or disabled heartbeat changes nothing (H2).
   *
   * @throws ForbiddenError when the heartbeat is not of the caller's team.
   */
  async ping(name: string, caller: Caller): Promise<void> {
    const { store, clock, watch } = this.#ports;
    const at = clock.now();
    await watch.track(name, at, async () => {
      if (await store.pingInTime(name, at, caller.teamId)) return;
      await store.change(name, (present) => pinged(allowed(present, caller), at));
    });
  }

  /** Counts as a ping (H3). @throws as {@link get}. */
  enable(name: string, caller: Caller): Promise<Heartbeat> {
    return this.#change(name, caller, enabled);
  }

  /** Its alert is closed (H4). @throws as {@link get}. */
  disable(name: string, caller: Caller): Promise<Heartbeat> {
    return this.#change(name, caller, disabled);
  }

  /** Its alert is closed (H4). @throws as {@link get}. */
  async delete(name: string, caller: Caller): Promise<void> {
    await this.#change(name, caller, disabled, 'remove');
  }

  /**
   * What the body leaves out stays; one that names the interval begins a new one (H2). The heartbeat of a team key stays with
   * its team.
   *
   * @throws as {@link get}; NotFoundError when the team does not exist; InvalidError when the body names it otherwise, or the team
   *   would have too many bytes of heartbeats.
   */
  async update(name: string, body: UpdateHeartbeatBody, caller: Caller): Promise<Heartbeat> {
    // Whether the caller may write comes before what the body names.
    const before = await this.get(name, caller);
    const { name: named = name, ownerTeam, ...rest } = body;
    if (named !== name) throw InvalidError.ofFields({ name: `should be [${name}]: a heartbeat keeps its name` });
    const change = { ...rest, ownerTeamId: ownerTeam && (await this.#ownerTeam(ownerTeam, caller)) };
    await this.#refuseTooMuch(changed(before, change, this.#ports.clock.now()), before);
    return this.#change(name, caller, (present, at) => changed(present, change, at));
  }

  async #change(
    name: string,
    caller: Caller,
    change: (present: Heartbeat, at: Date) => Heartbeat,
    method: 'change' | 'remove' = 'change',
  ): Promise<Heartbeat> {
    const { store, clock, watch } = this.#ports;
    const found = await watch.track(name, clock.now(), () =>
      store[method](name, (present) => change(allowed(present, caller), clock.now())),
    );
    if (found === undefined) throw doesNotExist(name);
    return found;
  }

  /** Writes at the same moment may each find room: the bound is about the memory of a process, not exact. */
  async #refuseTooMuch(next: Heartbeat, before: Heartbeat | undefined): Promise<void> {
    const { ownerTeamId } = next;
    if (ownerTeamId === undefined) return;
    const gained = sizeOf(next) - (before?.ownerTeamId === ownerTeamId ? sizeOf(before) : 0);
    if (gained > 0) requireRoomOfTeam('heartbeats', gained, await this.#ports.store.bytesOfTeam(ownerTeamId));
  }

  /** A team's key owns what it creates, whatever the body says (K4). */
  async #ownerTeam(reference: Reference | undefined, { teamId }: Caller): Promise<string | undefined> {
    if (teamId !== undefined || reference === undefined) return teamId;
    const [index, value] = reference.id === undefined ? ['name', reference.name ?? ''] : ['id', reference.id];
    const team = await this.#ports.teams.fetch(index, value);
    if (team === undefined) throw new NotFoundError(`Team with ${index} [${value}] does not exist.`);
    return team.id;
  }

  async #seen(heartbeat: Heartbeat): Promise<SeenHeartbeat> {
    const { ownerTeamId } = heartbeat;
    const team = ownerTeamId === undefined ? undefined : await this.#ports.teams.fetch('id', ownerTeamId);
    return { ...heartbeat, ownerTeam: team && { id: team.id, name: team.name } };
  }
}

/** What its callers write decides how large it is. */
const sizeOf = ({ name, description, alertMessage, alertTags }: Heartbeat): number =>
  bytesOf([name, description, alertMessage, alertTags]);

const mayTouch = ({ ownerTeamId }: Heartbeat, { teamId }: Caller): boolean =>
  teamAccess({ ownerTeamId }, teamId) === 'write';

function allowed(heartbeat: Heartbeat, caller: Caller): Heartbeat {
  if (mayTouch(heartbeat, caller)) return heartbeat;
  throw teamKeyRefused();
}

const doesNotExist = (name: string) => new NotFoundError(`Heartbeat with name [${name}] does not exist.`);
