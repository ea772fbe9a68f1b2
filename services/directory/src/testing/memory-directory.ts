import type { NoticeCommand } from '@tocsin/contracts';
import type { Team } from '../domain/team.ts';
import type { TeamLogLine } from '../ports/team-store.ts';
import type { CustomRole } from '../domain/role.ts';
import type { User } from '../domain/user.ts';

/** A team and when it entered its phase, in milliseconds of real time. */
export interface TeamRow {
  readonly team: Team;
  readonly phaseAtMs: number;
}

/** What the memory stores of one directory hold together, as the collections of one database do. */
export class MemoryDirectory {
  readonly users = new Map<string, User>();
  readonly roles = new Map<string, CustomRole>();
  readonly teams = new Map<string, TeamRow>();
  /** What was sent, oldest first. */
  readonly notices: NoticeCommand[] = [];
  /** The history of each team, oldest entry first. */
  readonly teamLogs = new Map<string, readonly TeamLogLine[]>();
}
