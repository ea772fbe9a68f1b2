import { type Clock, inSteps, longWork, NotFoundError } from '@tocsin/core';
import type { TeamState, UserState } from '@tocsin/events';
import type { ReplicaView } from '@tocsin/kafka';
import type { Configuration } from '../configuration/configuration.ts';
import { type Mention, mentionsOf } from '../configuration/mentions.ts';
import type { LoadedSnapshot, Snapshots } from '../configuration/snapshot-operations.ts';
import type { OtherFindings } from './client.ts';
import type { ReadinessView } from './finding.ts';
import { type Readiness, readinessSteps } from './readiness.ts';

export interface ReadinessReportsOptions {
  readonly snapshots: Snapshots;
  readonly users: ReplicaView<UserState>;
  readonly teams: ReplicaView<TeamState>;
  readonly clock: Clock;
  /** Asks the other services for their findings. */
  readonly others: () => Promise<OtherFindings>;
}

/** The findings about the configuration of one instant, and the snapshot in which its names are known. */
export interface ReadinessReport extends Readiness {
  readonly computedAt: Date;
  readonly snapshot: LoadedSnapshot;
  /** The services of which findings are missing. */
  readonly incompleteServices: readonly string[];
}

/** A report is computed again after this time: gaps depend on the present. */
const MAX_AGE_MS = 30_000;
/** Users and teams may change many times a second, and each change concerns all findings. */
const MIN_AGE_MS = 5_000;
/** Unknown users and teams that are looked up at directory; further ones are taken to exist. */
const MAX_LOOK_UPS = 1_000;

/** Computes what will go wrong when an alert comes, once for all callers (S17). */
export class ReadinessReports {
  readonly #options: ReadinessReportsOptions;
  #latest: ReadinessReport | undefined;
  #pending: { readonly configuration: Configuration; readonly report: Promise<ReadinessReport> } | undefined;
  /** Users or teams have changed since the latest report was begun. */
  #isOutdated = false;

  constructor(options: ReadinessReportsOptions) {
    this.#options = options;
    const outdate = (): void => {
      this.#isOutdated = true;
    };
    options.users.whenChanged(outdate);
    options.teams.whenChanged(outdate);
  }

  /**
   * The findings about the configuration with every schedule, escalation and forwarding rule that was written before the call, and with
   * the users and teams of 5 s ago at most.
   *
   * @throws UnavailableError when the configuration cannot be read.
   */
  async current(): Promise<ReadinessReport> {
    const { clock, snapshots } = this.#options;
    const snapshot = await snapshots.open();
    const { configuration } = snapshot;
    if (this.#latest !== undefined && this.#isCurrent(this.#latest, configuration, clock.now())) return this.#latest;
    if (this.#pending?.configuration === configuration) return this.#pending.report;
    const report = this.#compute(snapshot);
    const pending = { configuration, report };
    this.#pending = pending;
    try {
      return await report;
    } finally {
      if (this.#pending === pending) this.#pending = undefined;
    }
  }

  /**
   * The id of the team with this id or name.
   *
   * @throws NotFoundError where there is none; UnavailableError when directory does not answer.
   */
  async teamId(idOrName: string): Promise<string> {
    const { teams } = this.#options;
    const team = (await teams.fetch('id', idOrName)) ?? (await teams.fetch('name', idOrName));
    if (team === undefined) throw new NotFoundError(`Team does not exist with id or name: ${idOrName}`);
    return team.id;
  }

  #isCurrent({ computedAt, snapshot }: ReadinessReport, configuration: Configuration, now: Date): boolean {
    const age = now.getTime() - computedAt.getTime();
    return snapshot.configuration === configuration && age >= 0 && age < (this.#isOutdated ? MIN_AGE_MS : MAX_AGE_MS);
  }

  async #compute(snapshot: LoadedSnapshot): Promise<ReadinessReport> {
    const { clock, others, teams, users } = this.#options;
    const { configuration } = snapshot;
    const [{ findings: given, incompleteServices }] = await Promise.all([
      others(),
      unknownIn(snapshot).then((unknown) => snapshot.tryLoad(unknown)),
    ]);
    const computedAt = clock.now();
    this.#isOutdated = false;
    const found = await inSteps(
      readinessSteps({ ...configuration, users: users.all(), teams: teams.all(), given }, viewOf(snapshot, computedAt)),
    );
    const report = { ...found, computedAt, snapshot, incompleteServices };
    this.#latest = report;
    return report;
  }
}

const viewOf = (snapshot: LoadedSnapshot, now: Date): ReadinessView => ({
  schedule: (id) => snapshot.schedule(id),
  escalation: (id) => snapshot.escalation(id),
  team: (id) => snapshot.team(id),
  user: (id) => snapshot.user(id),
  exists: (mention) => snapshot[mention.type](mention.id) !== undefined || snapshot.isUnanswered(mention),
  now: now.getTime(),
});

/** The users and teams that schedules and escalations name and that the replicas do not have, each once. */
async function unknownIn(snapshot: LoadedSnapshot): Promise<readonly Mention[]> {
  const { escalations, schedules } = snapshot.configuration;
  const unknown = new Map<string, Mention>();
  for (const thing of [...schedules.all(), ...escalations.all()]) {
    for (const { id, type } of mentionsOf(thing)) {
      if (unknown.size < MAX_LOOK_UPS && snapshot[type](id) === undefined) unknown.set(`${type}:${id}`, { type, id });
    }
    if (longWork.isPauseDue()) await longWork.pause();
  }
  return [...unknown.values()];
}
