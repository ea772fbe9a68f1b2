import type { EscalationState, ScheduleState, TeamState, UserState } from '@tocsin/contracts';
import type { ReplicaView } from '@tocsin/messaging';
import type { NamedReference } from '../domain/integration.ts';
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

  nameOf(type: ReferenceType, id: string): string | undefined {
    return named(this.#views[type].get(id))?.name;
  }
}

function named(state: TeamState | UserState | ScheduleState | EscalationState | undefined): NamedReference | undefined {
  if (state === undefined) return undefined;
  return { id: state.id, name: 'username' in state ? state.username : state.name };
}
