import {
  Escalations,
  Schedules,
  Teams,
  Users,
  type EscalationState,
  type ScheduleState,
  type TeamState,
  type UserState,
} from '@tocsin/contracts';
import type { ReplicaView } from '@tocsin/messaging';
import type { openReplicas } from '@tocsin/service-kit';
import type { NamedReference } from '../domain/recipient.ts';
import type { References, ReferenceType } from '../ports/references.ts';

/** The replicas in which references are found, each with an index by name (`username` for users). */
export interface Replicas {
  readonly teams: ReplicaView<TeamState>;
  readonly users: ReplicaView<UserState>;
  readonly schedules: ReplicaView<ScheduleState>;
  readonly escalations: ReplicaView<EscalationState>;
}

/** By what each replica is searched besides the id. */
export const referenceIndexes = {
  teams: { name: ({ name }: TeamState) => name },
  users: { username: ({ username }: UserState) => username },
  schedules: { name: ({ name }: ScheduleState) => name },
  escalations: { name: ({ name }: EscalationState) => name },
} as const;

/** Adds the replicas of everything that an integration or an alert may name, before their start. */
export function addReferences(replicas: ReplicasOf): ReplicaReferences {
  return new ReplicaReferences({
    teams: replicas.add(Teams, { owner: 'directory', indexes: referenceIndexes.teams }),
    users: replicas.add(Users, { owner: 'directory', indexes: referenceIndexes.users }),
    schedules: replicas.add(Schedules, { owner: 'scheduling', indexes: referenceIndexes.schedules }),
    escalations: replicas.add(Escalations, { owner: 'scheduling', indexes: referenceIndexes.escalations }),
  });
}

type ReplicasOf = Pick<Awaited<ReturnType<typeof openReplicas>>, 'add'>;
type AnyView = ReplicaView<TeamState | UserState | ScheduleState | EscalationState>;

export class ReplicaReferences implements References {
  readonly #views: Readonly<Record<ReferenceType, AnyView>>;

  constructor({ teams, users, schedules, escalations }: Replicas) {
    this.#views = { team: teams, user: users, schedule: schedules, escalation: escalations };
  }

  async find(
    type: ReferenceType,
    { id, name }: { id?: string | undefined; name?: string | undefined },
  ): Promise<NamedReference | undefined> {
    const view = this.#views[type];
    if (id !== undefined) return named(await view.fetch('id', id));
    if (name === undefined) return undefined;
    // User names are kept in lower case (U1).
    return named(type === 'user' ? await view.fetch('username', name.toLowerCase()) : await view.fetch('name', name));
  }

  idOf(type: ReferenceType, name: string): string | undefined {
    const view = this.#views[type];
    return (type === 'user' ? view.find('username', name.toLowerCase()) : view.find('name', name))?.id;
  }

  everyone(): readonly string[] {
    return Array.from(this.#views.user.all(), ({ id }) => id);
  }

  nameOf(type: ReferenceType, id: string): string | undefined {
    return named(this.#views[type].get(id))?.name;
  }
}

function named(state: TeamState | UserState | ScheduleState | EscalationState | undefined): NamedReference | undefined {
  if (state === undefined) return undefined;
  return { id: state.id, name: 'username' in state ? state.username : state.name };
}
