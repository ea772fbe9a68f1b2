import type { Reference } from '../domain/reference.ts';
import type {
  Activation,
  ActivationOutcome,
  BegunTeam,
  RoutingUse,
  Team,
  TeamDraft,
  TeamSummary,
} from '../domain/team.ts';
import type { TeamLogEntry, TeamLogPosition } from '../domain/team-log.ts';

/** What became of a draft. */
export type TeamBeginning = BegunTeam | { readonly kind: 'unknown-member'; readonly userId: string };

export interface TeamLogPage {
  readonly order: 'asc' | 'desc';
  /** At least 1. */
  readonly limit: number;
  /** Exclusive. */
  readonly after: TeamLogPosition | undefined;
}

export type TeamLogLine = TeamLogEntry & TeamLogPosition;

/** The outcome of a change of one team; the same `team` back means that nothing is written. */
export interface TeamChange<T> {
  readonly team: Team;
  /** Kept with the change, in this order. */
  readonly log: readonly TeamLogEntry[];
  readonly answer: T;
}

export type TeamChangeOutcome<T> =
  | { readonly kind: 'changed'; readonly answer: T }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unknown-member'; readonly userId: string };

/** Keeps teams through their phases; only changes of what others can see are announced to the other services. */
export interface TeamStore {
  /** Puts the draft down as `creating`, as `begun` of `domain/team.ts` decides. */
  begin(draft: TeamDraft): Promise<TeamBeginning>;
  /** Makes the team whole and visible, once; that begins its history. */
  activate(id: string, attempt: string, change: Activation): Promise<ActivationOutcome>;
  /** An active team. */
  find(reference: Reference): Promise<Team | undefined>;
  /** The active teams with one of `values` as their `key`, in no order. */
  withAny(key: 'id' | 'name', values: readonly string[]): Promise<readonly Team[]>;
  /** An active team, or one whose removal has not ended. */
  findRemovable(reference: Reference): Promise<Team | undefined>;
  /** The active ones by creation, then id. */
  list(): Promise<readonly TeamSummary[]>;
  /** The history of an active team. */
  history(id: string, page: TeamLogPage): Promise<readonly TeamLogLine[]>;
  /** The routing rules of active teams, but `exceptTeamId`'s, that notify the schedule or escalation. */
  routingUses(type: 'schedule' | 'escalation', id: string, exceptTeamId?: string): Promise<readonly RoutingUse[]>;
  /**
   * Lets `work` make a new state out of that of an active team, while nobody else changes configuration. It may be called
   * several times and must have no effect of its own; what it throws is passed on and nothing is written. Version, phase
   * and attempt are the store's business.
   *
   * @throws ConflictError when the new name is taken.
   */
  change<T>(reference: Reference, work: (team: Team) => TeamChange<T>): Promise<TeamChangeOutcome<T>>;
  /** Hides the team for good. A team being created is removed only while `attempt` is still its latest. */
  beginRemoval(id: string, attempt: string): Promise<boolean>;
  /** Forgets a team whose removal has begun, its history too; its name is free again. */
  endRemoval(id: string): Promise<void>;
  /** Teams that have been creating or deleting for at least `ageMs` of real time, oldest first, at most 100. */
  unfinished(ageMs: number): Promise<readonly Team[]>;
}
