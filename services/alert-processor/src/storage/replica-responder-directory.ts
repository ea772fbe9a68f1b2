import {
  Escalations,
  Schedules,
  Teams,
  Users,
  type EscalationState,
  type ResponderReference,
  type ScheduleState,
  type TeamState,
  type UserState,
} from '@tocsin/contracts';
import type { ReplicaView } from '@tocsin/messaging';
import type { Replicas } from '@tocsin/service-kit';
import type { Resolution } from '../domain/decided.ts';
import type { ResponderDirectory } from '../ports/responder-directory.ts';

/** Replicas of everything that can be a responder; users are indexed by `username`, the others by `name`. */
export interface ResponderReplicas {
  readonly user: ReplicaView<UserState>;
  readonly team: ReplicaView<TeamState>;
  readonly schedule: ReplicaView<ScheduleState>;
  readonly escalation: ReplicaView<EscalationState>;
}

/** How users are found by name: user names are kept in lower case (U1). */
export const USER_INDEXES = { username: ({ username }: UserState): string => username.toLowerCase() };
export const NAME_INDEXES = { name: ({ name }: { readonly name: string }): string => name };

/** Adds the replicas of every kind of responder to those of the service. */
export function responderReplicas(replicas: Pick<Replicas, 'add'>): ResponderReplicas {
  return {
    user: replicas.add(Users, { owner: 'directory', indexes: USER_INDEXES }),
    team: replicas.add(Teams, { owner: 'directory', indexes: NAME_INDEXES }),
    schedule: replicas.add(Schedules, { owner: 'scheduling', indexes: NAME_INDEXES }),
    escalation: replicas.add(Escalations, { owner: 'scheduling', indexes: NAME_INDEXES }),
  };
}

/** Looks responders up in memory, and asks their owner for what is not there, such as a team made a moment ago. */
export class ReplicaResponderDirectory implements ResponderDirectory {
  readonly #replicas: ResponderReplicas;

  constructor(replicas: ResponderReplicas) {
    this.#replicas = replicas;
  }

  async resolve({ type, id, name }: ResponderReference): Promise<Resolution> {
    const replica: ReplicaView<Named> = this.#replicas[type];
    try {
      const found = id === undefined ? await byName(replica, type, name ?? '') : await replica.fetch('id', id);
      return found === undefined ? { kind: 'unknown' } : { kind: 'known', id: found.id, name: nameOf(found) };
    } catch {
      return { kind: 'unreachable' };
    }
  }
}

type Named = UserState | { readonly id: string; readonly name: string };

const nameOf = (found: Named): string => ('username' in found ? found.username : found.name);

function byName(
  replica: ReplicaView<Named>,
  type: ResponderReference['type'],
  name: string,
): Promise<Named | undefined> {
  return type === 'user' ? replica.fetch('username', name.toLowerCase()) : replica.fetch('name', name);
}
