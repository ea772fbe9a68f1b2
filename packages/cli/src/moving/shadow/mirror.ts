import { mapConcurrent } from '../../map-concurrent.ts';
import { ApiReadError } from '../answer.ts';
import { factsOf } from '../history/history-file.ts';
import { oldestFirst } from '../history/oldest-first.ts';
import { type Json, textIn } from '../json.ts';
import { CONCURRENT_REQUESTS, segment, unlessDeleted } from '../kinds.ts';
import type { OpsgenieClient } from '../opsgenie-client.ts';
import { changedAtMs, changedSince, lastChangeMs } from './changed.ts';
import { type AlertWrite, aliasOf, asCreated, createOf, writesFor } from './writes.ts';

/** The list of alerts shows a change some time after it was made, so the changes of this time are listed again. */
const LISTED_AGAIN_MS = 120_000;
/** So many refused alerts are tried again in a look: where more are refused, they take several looks. */
const MAX_TRIED_AGAIN = 100;

/** The alerts of Tocsin. */
export interface Alerts {
  /** The alert of that alias; undefined where there is none. An alert that is on its way is waited for. */
  find(alias: string): Promise<Json | undefined>;
  /** Resolves when the write is settled, with why Tocsin refused it; undefined where it did not. */
  write(write: AlertWrite): Promise<string | undefined>;
}

export interface MirrorPorts {
  readonly opsgenie: OpsgenieClient;
  readonly alerts: Alerts;
  /** How far the account is mirrored. */
  readonly place: {
    readonly startedAt: Date;
    readonly mirroredUntilMs: number | undefined;
    /** Ids of alerts that Tocsin refused, the one that is tried next first. */
    readonly refused: readonly string[];
    save(mirroredUntilMs: number, refused: readonly string[]): void;
  };
  /** The id in Tocsin of a user, team, schedule or escalation of Opsgenie. */
  readonly idOf: (id: string) => string;
  readonly now: () => Date;
  /** Called before an alert is made. @throws CliError where Tocsin would page users for it. */
  readonly requireShadow: () => Promise<void>;
}

/** An alert that Tocsin did not take as it is. */
interface Refused {
  readonly id: string;
  readonly message: string;
  readonly why: string;
}

/** What a look did. */
export interface Looked {
  /** Alerts that were made, or changed. */
  readonly mirrored: number;
  readonly refused: readonly Refused[];
  /** Whether all changes were seen. */
  readonly isWhole: boolean;
}

/** What was found of the account, before the alerts that were refused before are tried again. */
interface Seen extends Looked {
  readonly ids: ReadonlySet<string>;
  readonly untilMs: number;
}

type Outcome = Pick<Looked, 'mirrored' | 'refused'>;

/**
 * Makes the alerts of Tocsin like those of an account of Opsgenie: those that are open at the first look, and from then on each that is
 * created or changed. What a look does is found out by comparing each alert with ours, so a look that died is simply done again.
 */
export class Mirror {
  readonly #ports: MirrorPorts;
  /** When the alerts that were mirrored lately were changed, by their ids. */
  #done = new Map<string, number>();

  constructor(ports: MirrorPorts) {
    this.#ports = ports;
  }

  /** @throws ApiReadError or CliError where one of both sides cannot be asked. The next look does what this one did not. */
  async look(): Promise<Looked> {
    const { place } = this.#ports;
    const { mirroredUntilMs, refused: before } = place;
    const seen = await (mirroredUntilMs === undefined ? this.#first() : this.#changes(mirroredUntilMs));
    const left = before.filter((id) => !seen.ids.has(id));
    const again = await this.#each(left.slice(0, MAX_TRIED_AGAIN), (id) => this.#again(id));
    const refused = [...seen.refused, ...again.refused];
    place.save(seen.untilMs, [...left.slice(MAX_TRIED_AGAIN), ...refused.map(({ id }) => id)]);
    return { mirrored: seen.mirrored + again.mirrored, refused, isWhole: seen.isWhole };
  }

  async #first(): Promise<Seen> {
    const { opsgenie, place } = this.#ports;
    // A process that died in its first look has made alerts that may be closed since.
    const untilMs = Math.min((await lastChangeMs(opsgenie)) ?? Infinity, place.startedAt.getTime());
    const looked: { mirrored: number; refused: Refused[] } = { mirrored: 0, refused: [] };
    for await (const alerts of oldestFirst(opsgenie, { fromMs: 0, condition: 'status: open' })) {
      const { mirrored, refused } = await this.#each(alerts, (alert) => this.#mirror(alert));
      looked.mirrored += mirrored;
      looked.refused.push(...refused);
    }
    return { ...looked, ids: new Set(), untilMs, isWhole: true };
  }

  async #changes(sinceMs: number): Promise<Seen> {
    const { alerts, isWhole } = await changedSince(this.#ports.opsgenie, sinceMs - LISTED_AGAIN_MS);
    const fresh = alerts.filter((alert) => this.#done.get(factsOf(alert).id) !== changedAtMs(alert));
    const looked = await this.#each(fresh, (alert) => this.#mirror(alert));
    const refused = new Set(looked.refused.map(({ id }) => id));
    const done = alerts.filter((alert) => !refused.has(factsOf(alert).id));
    this.#done = new Map(done.map((alert) => [factsOf(alert).id, changedAtMs(alert)]));
    const untilMs = Math.max(sinceMs, ...alerts.slice(-1).map(changedAtMs));
    return { ...looked, ids: new Set(fresh.map(aliasOf)), untilMs, isWhole };
  }

  async #each<T>(all: readonly T[], mirror: (one: T) => Promise<Mirrored>): Promise<Outcome> {
    const results = await mapConcurrent(CONCURRENT_REQUESTS, all, mirror);
    return {
      mirrored: results.filter(({ writes }) => writes > 0).length,
      refused: results.flatMap(({ refused }) => refused ?? []),
    };
  }

  /** Mirrors an alert that was refused as it is now. One that is deleted in Opsgenie is left as it is in Tocsin. */
  async #again(id: string): Promise<Mirrored> {
    try {
      const theirs = await this.#read(id);
      return theirs === undefined ? { writes: 0 } : await this.#mirror(theirs);
    } catch (error) {
      if (!isAboutOne(error)) throw error;
      return { writes: 0, refused: { id, message: '', why: error.message } };
    }
  }

  async #mirror(listed: Json): Promise<Mirrored> {
    const refused = (why: string): Refused => ({
      ...{ id: aliasOf(listed), message: textIn(listed, 'message') ?? '', why },
    });
    let writes = 0;
    try {
      for (const write of await this.#writes(listed)) {
        const why = await this.#ports.alerts.write(write);
        if (why !== undefined) return { writes, refused: refused(why) };
        writes += 1;
      }
      return { writes };
    } catch (error) {
      if (!isAboutOne(error)) throw error;
      return { writes, refused: refused(error.message) };
    }
  }

  async #writes(listed: Json): Promise<readonly AlertWrite[]> {
    const { alerts, now, requireShadow } = this.#ports;
    const ours = await alerts.find(aliasOf(listed));
    if (ours !== undefined) return writesFor(listed, ours, now());
    const creation = await this.#creation(listed);
    if (creation === undefined) return [];
    await requireShadow();
    return [creation, ...writesFor(listed, asCreated(listed), now())];
  }

  /** Undefined for an alert that was closed before the start, and for one that is deleted. A list does not show all texts of an alert. */
  async #creation(listed: Json): Promise<AlertWrite | undefined> {
    const { idOf, place } = this.#ports;
    if (textIn(listed, 'status') === 'closed' && factsOf(listed).atMs < place.startedAt.getTime()) return undefined;
    const whole = await this.#read(aliasOf(listed));
    return whole === undefined ? undefined : createOf({ ...whole, ...listed }, idOf);
  }

  /** The whole alert of Opsgenie; undefined where it is deleted. */
  #read(id: string): Promise<Json | undefined> {
    return unlessDeleted(() => this.#ports.opsgenie.object(`/v2/alerts/${segment(id)}`));
  }
}

/** What became of one alert. */
interface Mirrored {
  readonly writes: number;
  readonly refused?: Refused;
}

/** Whether the answer about one alert cannot be read, and those about others can. */
const isAboutOne = (error: unknown): error is ApiReadError => error instanceof ApiReadError && error.fault === 'answer';
