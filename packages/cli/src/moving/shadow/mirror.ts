import { mapConcurrent } from '../../map-concurrent.ts';
import { ApiReadError } from '../answer.ts';
import { factsOf } from '../history/history-file.ts';
import { oldestFirst } from '../history/oldest-first.ts';
import { type Json, textIn } from '../json.ts';
import { CONCURRENT_REQUESTS } from '../kinds.ts';
import type { OpsgenieClient } from '../opsgenie-client.ts';
import { changedAtMs, changedSince, lastChangeMs } from './changed.ts';
import { type AlertWrite, aliasOf, asCreated, createOf, writesFor } from './writes.ts';

/** The list of alerts shows a change some time after it was made, so the changes of this time are listed again. */
const LISTED_AGAIN_MS = 120_000;

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
    save(mirroredUntilMs: number): void;
  };
  /** The id in Tocsin of a user, team, schedule or escalation of Opsgenie. */
  readonly idOf: (id: string) => string;
  readonly now: () => Date;
  /** Called before an alert is made. @throws CliError where Tocsin would page users for it. */
  readonly requireShadow: () => Promise<void>;
}

/** An alert that Tocsin did not take as it is. */
export interface Refused {
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
    return place.mirroredUntilMs === undefined ? this.#first() : this.#changes(place.mirroredUntilMs);
  }

  async #first(): Promise<Looked> {
    const { now, opsgenie, place } = this.#ports;
    const untilMs = (await lastChangeMs(opsgenie)) ?? now().getTime();
    const looked: { mirrored: number; refused: Refused[] } = { mirrored: 0, refused: [] };
    for await (const alerts of oldestFirst(opsgenie, { fromMs: 0, condition: 'status: open' })) {
      const { mirrored, refused } = await this.#mirrorAll(alerts);
      looked.mirrored += mirrored;
      looked.refused.push(...refused);
    }
    place.save(untilMs);
    return { ...looked, isWhole: true };
  }

  async #changes(sinceMs: number): Promise<Looked> {
    const { alerts, isWhole } = await changedSince(this.#ports.opsgenie, sinceMs - LISTED_AGAIN_MS);
    const fresh = alerts.filter((alert) => this.#done.get(factsOf(alert).id) !== changedAtMs(alert));
    const looked = await this.#mirrorAll(fresh);
    const refused = new Set(looked.refused.map(({ id }) => id));
    const done = alerts.filter((alert) => !refused.has(factsOf(alert).id));
    this.#done = new Map(done.map((alert) => [factsOf(alert).id, changedAtMs(alert)]));
    const [last] = alerts.slice(-1);
    if (last !== undefined) this.#ports.place.save(Math.max(sinceMs, changedAtMs(last)));
    return { ...looked, isWhole };
  }

  async #mirrorAll(alerts: readonly Json[]): Promise<Pick<Looked, 'mirrored' | 'refused'>> {
    const results = await mapConcurrent(CONCURRENT_REQUESTS, alerts, (alert) => this.#mirror(alert));
    return {
      mirrored: results.filter(({ writes }) => writes > 0).length,
      refused: results.flatMap(({ refused }) => refused ?? []),
    };
  }

  async #mirror(listed: Json): Promise<{ readonly writes: number; readonly refused?: Refused }> {
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
      // The answer about this alert cannot be read, and those about others can.
      if (error instanceof ApiReadError && error.fault === 'answer') return { writes, refused: refused(error.message) };
      throw error;
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
    const { idOf, opsgenie, place } = this.#ports;
    if (textIn(listed, 'status') === 'closed' && factsOf(listed).atMs < place.startedAt.getTime()) return undefined;
    try {
      const whole = await opsgenie.object(`/v2/alerts/${encodeURIComponent(aliasOf(listed))}`);
      return createOf({ ...whole, ...listed }, idOf);
    } catch (error) {
      if (error instanceof ApiReadError && error.fault === 'missing') return undefined;
      throw error;
    }
  }
}
