import type { Recipients } from './routing.ts';

interface EscalationRule {
  readonly notifyType: string;
  readonly type: string;
  readonly id: string;
}

/** The things to which alerts lead, by their ids. */
export interface Existing {
  /** Whether the user is blocked. */
  readonly users: Map<string, boolean>;
  readonly teams: Map<string, readonly { readonly id: string; readonly isAdmin: boolean }[]>;
  /** Whether a user comes on call; undefined where that is not known. */
  readonly schedules: Map<string, boolean | undefined>;
  readonly escalations: Map<string, readonly EscalationRule[]>;
}

/** Which schedules and escalations reach a user. */
export class Reachability implements Recipients {
  readonly #existing: Existing;

  constructor(existing: Existing) {
    this.#existing = existing;
  }

  exists(type: string, id: string): boolean {
    const { escalations, schedules, teams, users } = this.#existing;
    const all: Readonly<Record<string, ReadonlyMap<string, unknown>>> = {
      escalation: escalations,
      schedule: schedules,
      team: teams,
      user: users,
    };
    return all[type]?.has(id) ?? false;
  }

  reaches(type: string, id: string): boolean | undefined {
    if (type === 'schedule') return this.#existing.schedules.get(id);
    const rules = this.#existing.escalations.get(id);
    if (type !== 'escalation' || rules === undefined) return undefined;
    const reached = rules.map((rule) => this.#rule(rule));
    if (reached.includes(true)) return true;
    return reached.includes(undefined) ? undefined : false;
  }

  /** A team that routes is taken to reach a user: its own rules are looked at themselves. */
  #rule({ id, notifyType, type }: EscalationRule): boolean | undefined {
    const { schedules, teams, users } = this.#existing;
    if (type === 'schedule') return schedules.has(id) ? schedules.get(id) : false;
    if (type === 'user') return users.get(id) === false;
    if (type !== 'team') return undefined;
    const members = teams.get(id);
    if (members === undefined) return false;
    if (notifyType === 'default') return true;
    return members.some((member) => (notifyType !== 'admins' || member.isAdmin) && users.get(member.id) === false);
  }
}
