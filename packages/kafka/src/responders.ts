import {
  Escalations,
  Schedules,
  Teams,
  Users,
  type EscalationState,
  type ResponderReference,
  type ScheduleState,
  type ServiceName,
  type StateMessage,
  type TeamState,
  type TopicDefinition,
  type UserState,
} from '@tocsin/events';
import type { Indexes } from './state-table.ts';
import type { ReplicaView } from './ports.ts';

type Kind = ResponderReference['type'];

/** The replicas of users, teams, schedules and escalations, each with its index of {@link RESPONDER_INDEXES}. */
export interface ResponderReplicas {
  readonly user: ReplicaView<UserState>;
  readonly team: ReplicaView<TeamState>;
  readonly schedule: ReplicaView<ScheduleState>;
  readonly escalation: ReplicaView<EscalationState>;
}

const byName = { name: ({ name }: { readonly name: string }): string => name };

/** The secondary key of each kind: `username` of users, `name` of the others. */
export const RESPONDER_INDEXES = {
  user: { username: ({ username }: UserState): string => username },
  team: byName,
  schedule: byName,
  escalation: byName,
} as const;

interface Replicas {
  add<T>(
    topic: TopicDefinition<StateMessage<T>>,
    options: { readonly owner: ServiceName; readonly indexes: Indexes<T> },
  ): ReplicaView<T>;
}

/** Adds the replicas of every kind of responder to those of a service, before their start. */
export function addResponders(replicas: Replicas): Responders {
  return new Responders({
    user: replicas.add(Users, { owner: 'directory', indexes: RESPONDER_INDEXES.user }),
    team: replicas.add(Teams, { owner: 'directory', indexes: RESPONDER_INDEXES.team }),
    schedule: replicas.add(Schedules, { owner: 'scheduling', indexes: RESPONDER_INDEXES.schedule }),
    escalation: replicas.add(Escalations, { owner: 'scheduling', indexes: RESPONDER_INDEXES.escalation }),
  });
}

/** Finds users, teams, schedules and escalations by id or name; users by user name in any case (U1). */
export class Responders {
  readonly #replicas: ResponderReplicas;

  constructor(replicas: ResponderReplicas) {
    this.#replicas = replicas;
  }

  /**
   * The responder with this id or, where no id is given, with this name. Asks the owner for one that the replica lacks.
   *
   * @throws UnavailableError when the owner does not answer.
   */
  async find(
    type: Kind,
    { id, name }: { readonly id?: string | undefined; readonly name?: string | undefined },
  ): Promise<FoundResponder | undefined> {
    return toFound(await this.#fetch(type, id, name));
  }

  /** As {@link find}, but undefined where the replica lacks it. */
  findHeld(
    type: Kind,
    { id, name }: { readonly id?: string | undefined; readonly name?: string | undefined },
  ): FoundResponder | undefined {
    if (id !== undefined) return toFound(this.#of(type).get(id));
    return name === undefined ? undefined : toFound(this.#of(type).find(...indexed(type, name)));
  }

  /** The name of the responder with this id, if the replica holds it. */
  nameOf(type: Kind, id: string): string | undefined {
    return this.findHeld(type, { id })?.name;
  }

  /** The id of the responder with this name, if the replica holds it. */
  idOf(type: Kind, name: string): string | undefined {
    return this.findHeld(type, { name })?.id;
  }

  /** The ids of all users in the replica. */
  everyone(): readonly string[] {
    return Array.from(this.#replicas.user.all(), ({ id }) => id);
  }

  async #fetch(type: Kind, id: string | undefined, name: string | undefined): Promise<Named | undefined> {
    if (id !== undefined) return this.#of(type).fetch('id', id);
    return name === undefined ? undefined : this.#of(type).fetch(...indexed(type, name));
  }

  #of(type: Kind): ReplicaView<Named> {
    return this.#replicas[type];
  }
}

/** A user, team, schedule or escalation. */
export interface FoundResponder {
  readonly id: string;
  readonly name: string;
  /** The team that a schedule or escalation belongs to. */
  readonly ownerTeamId: string | undefined;
}

type Named = UserState | TeamState | ScheduleState | EscalationState;

const toFound = (held: Named | undefined): FoundResponder | undefined =>
  held && { id: held.id, name: nameOf(held), ownerTeamId: ownerOf(held) };

const ownerOf = (responder: Named): string | undefined =>
  'ownerTeamId' in responder ? responder.ownerTeamId : undefined;

const nameOf = (responder: Named): string => ('username' in responder ? responder.username : responder.name);

/** User names are kept in lower case (U1). */
const indexed = (type: Kind, name: string): readonly [index: string, value: string] =>
  type === 'user' ? ['username', name.toLowerCase()] : ['name', name];
