import { ConflictError } from '@tocsin/errors';
import type { Reference } from '../domain/reference.ts';
import {
  activated,
  begun,
  leaving,
  routingUses,
  withNextVersion,
  type Activation,
  type ActivationOutcome,
  type RoutingUse,
  type Team,
  type TeamDraft,
  type TeamSummary,
} from '../domain/team.ts';
import { creationEntry, type TeamLogEntry } from '../domain/team-log.ts';
import type {
  TeamBeginning,
  TeamChange,
  TeamChangeOutcome,
  TeamLogLine,
  TeamLogPage,
  TeamStore,
} from '../ports/team-store.ts';
import type { MemoryDirectory } from './memory-directory.ts';

export class MemoryTeamStore implements TeamStore {
  readonly #directory: MemoryDirectory;
  readonly #nowMs: () => number;

  /** `nowMs` tells real time. */
  constructor(directory: MemoryDirectory, nowMs: () => number = () => performance.now()) {
    this.#directory = directory;
    this.#nowMs = nowMs;
  }

  begin(draft: TeamDraft): Promise<TeamBeginning> {
    const beginning = begun(draft, this.#match({ name: draft.name }));
    if (beginning.kind !== 'begun') return Promise.resolve(beginning);
    const userId = this.#unknownMember(draft);
    if (userId !== undefined) return Promise.resolve({ kind: 'unknown-member', userId });
    this.#put(beginning.team);
    return Promise.resolve(beginning);
  }

  activate(id: string, attempt: string, change: Activation): Promise<ActivationOutcome> {
    const team = this.#match({ id });
    const whole = activated(team, attempt, change);
    if (typeof whole === 'string') return Promise.resolve(whole);
    if (whole !== team) this.#tell(this.#put(whole), [creationEntry(whole)]);
    return Promise.resolve('active');
  }

  find(reference: Reference): Promise<Team | undefined> {
    const team = this.#match(reference);
    return Promise.resolve(team?.phase === 'active' ? team : undefined);
  }

  withAny(key: 'id' | 'name', values: readonly string[]): Promise<readonly Team[]> {
    return Promise.resolve(this.#active().filter((team) => values.includes(team[key])));
  }

  findRemovable(reference: Reference): Promise<Team | undefined> {
    const team = this.#match(reference);
    return Promise.resolve(team?.phase === 'creating' ? undefined : team);
  }

  list(): Promise<readonly TeamSummary[]> {
    return Promise.resolve(this.#active().map(({ id, name, description }) => ({ id, name, description })));
  }

  history(id: string, { order, limit, after }: TeamLogPage): Promise<readonly TeamLogLine[]> {
    const sign = order === 'asc' ? 1 : -1;
    const lines = (this.#directory.teamLogs.get(id) ?? [])
      .filter((line) => after === undefined || sign * (line.n - after.n || line.line - after.line) > 0)
      .sort((a, b) => sign * (a.n - b.n || a.line - b.line));
    return Promise.resolve(lines.slice(0, limit));
  }

  routingUses(type: 'schedule' | 'escalation', id: string, exceptTeamId?: string): Promise<readonly RoutingUse[]> {
    const others = this.#active().filter((team) => team.id !== exceptTeamId);
    return Promise.resolve(others.flatMap((team) => routingUses(team, type, id)));
  }

  change<T>(reference: Reference, work: (team: Team) => TeamChange<T>): Promise<TeamChangeOutcome<T>> {
    // What `work` throws is a rejection.
    return Promise.resolve().then(() => this.#change(this.#match(reference), work));
  }

  beginRemoval(id: string, attempt: string): Promise<boolean> {
    const hidden = leaving(this.#match({ id }), attempt);
    if (hidden !== undefined) this.#put(hidden);
    return Promise.resolve(hidden !== undefined);
  }

  endRemoval(id: string): Promise<void> {
    if (this.#directory.teams.get(id)?.team.phase === 'deleting') {
      this.#directory.teams.delete(id);
      this.#directory.teamLogs.delete(id);
    }
    return Promise.resolve();
  }

  unfinished(ageMs: number): Promise<readonly Team[]> {
    const abandoned = [...this.#directory.teams.values()]
      .filter(({ team, phaseAtMs }) => team.phase !== 'active' && this.#nowMs() - phaseAtMs >= ageMs)
      .sort((a, b) => a.phaseAtMs - b.phaseAtMs);
    return Promise.resolve(abandoned.slice(0, 100).map(({ team }) => team));
  }

  #change<T>(team: Team | undefined, work: (team: Team) => TeamChange<T>): TeamChangeOutcome<T> {
    if (team?.phase !== 'active') return { kind: 'missing' };
    const { team: next, log, answer } = work(team);
    if (next === team) return { kind: 'changed', answer };
    const userId = this.#unknownMember(next);
    if (userId !== undefined) return { kind: 'unknown-member', userId };
    const namesake = this.#match({ name: next.name });
    if (namesake !== undefined && namesake.id !== team.id)
      throw new ConflictError(`Team with name [${next.name}] already exists.`);
    this.#tell(this.#put(withNextVersion(next, team)), log);
    return { kind: 'changed', answer };
  }

  #unknownMember({ members }: Pick<Team, 'members'>): string | undefined {
    return members.find(({ userId }) => !this.#directory.users.has(userId))?.userId;
  }

  #tell({ id, version: { n } }: Team, entries: readonly TeamLogEntry[]): void {
    const { teamLogs } = this.#directory;
    const lines = entries.map((entry, line) => ({ ...entry, n, line }));
    teamLogs.set(id, [...(teamLogs.get(id) ?? []), ...lines]);
  }

  #put(team: Team): Team {
    this.#directory.teams.set(team.id, { team, phaseAtMs: this.#nowMs() });
    return team;
  }

  #match(reference: Reference): Team | undefined {
    if ('id' in reference) return this.#directory.teams.get(reference.id)?.team;
    return [...this.#directory.teams.values()].find(({ team }) => team.name === reference.name)?.team;
  }

  #active(): readonly Team[] {
    return [...this.#directory.teams.values()]
      .map(({ team }) => team)
      .filter(({ phase }) => phase === 'active')
      .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1));
  }
}
