import type { TeamState } from '@tocsin/events';
import type { ReplicaView } from '@tocsin/kafka';

/** A team of a person, with their role in it. */
export interface Membership {
  readonly id: string;
  readonly role: 'admin' | 'user';
}

/** The teams of each user by the replica of `teams.v1`, so that a request does not look through all teams. */
export class Memberships {
  readonly #teams: Pick<ReplicaView<TeamState>, 'get' | 'whenChanged'>;
  /** By user, then by team. */
  readonly #byUser = new Map<string, ReadonlyMap<string, Membership>>();
  /** By team: the users who are its members here. */
  readonly #members = new Map<string, readonly string[]>();

  /** To be made before the replica starts. */
  constructor(teams: Pick<ReplicaView<TeamState>, 'get' | 'whenChanged'>) {
    this.#teams = teams;
    teams.whenChanged((teamId) => {
      this.#update(teamId);
    });
  }

  /** The very same object until a team of the user changes. */
  of(userId: string): ReadonlyMap<string, Membership> {
    return this.#byUser.get(userId) ?? NONE;
  }

  #update(teamId: string): void {
    const members = this.#teams.get(teamId)?.members ?? [];
    const left = new Set(this.#members.get(teamId));
    for (const { role, userId } of members) {
      left.delete(userId);
      this.#set(userId, teamId, { id: teamId, role: role === 'admin' ? 'admin' : 'user' });
    }
    for (const userId of left) this.#set(userId, teamId, undefined);
    if (members.length === 0) this.#members.delete(teamId);
    else
      this.#members.set(
        teamId,
        members.map(({ userId }) => userId),
      );
  }

  #set(userId: string, teamId: string, membership: Membership | undefined): void {
    const present = this.#byUser.get(userId) ?? NONE;
    if (present.get(teamId)?.role === membership?.role) return;
    const next = new Map(present);
    if (membership === undefined) next.delete(teamId);
    else next.set(teamId, membership);
    if (next.size === 0) this.#byUser.delete(userId);
    else this.#byUser.set(userId, next);
  }
}

const NONE: ReadonlyMap<string, Membership> = new Map();
