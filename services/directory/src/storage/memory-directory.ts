import type { Team } from '../domain/team.ts';
import type { TeamLogEntry } from '../ports/team-store.ts';
import type { User } from '../domain/user.ts';

/** A team and when it entered its phase, in milliseconds of real time. */
export interface TeamRow {
  readonly team: Team;
  readonly phaseAtMs: number;
}

/** What the memory stores of one directory hold together, as the collections of one database do. */
export class MemoryDirectory {
  readonly users = new Map<string, User>();
  readonly teams = new Map<string, TeamRow>();
  /** The history of each team, oldest entry first. */
  readonly teamLogs = new Map<string, readonly TeamLogEntry[]>();
}
