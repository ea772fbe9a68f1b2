import type { AlertCommand } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { alertCommand } from '../domain/alert-commands.ts';
import { expired, pinged, type Heartbeat } from '../domain/heartbeat.ts';
import { outagesAfter, type Beat, type Outage } from '../domain/outage.ts';
import type { Expiry, HeartbeatStore } from '../ports/heartbeat-store.ts';

/** Heartbeats in memory. Its database's clock stands still unless a test moves it. */
export class MemoryHeartbeatStore implements HeartbeatStore {
  /** In the order of the writes. */
  readonly commands: AlertCommand[] = [];
  #heartbeats: readonly Heartbeat[] = [];
  #beat: { readonly atMs: number; readonly at: Date; readonly outages: readonly Outage[] } | undefined;
  #nowMs = 0;
  #away = false;

  /** The database's clock goes on. */
  passMs(milliseconds: number): void {
    this.#nowMs += milliseconds;
  }

  /** From now on the database is away, or there again. */
  away(away: boolean): void {
    this.#away = away;
  }

  insert(heartbeat: Heartbeat): Promise<boolean> {
    return this.#reached(() => {
      const free = this.#find(heartbeat.name) === undefined;
      if (free) this.#heartbeats = [...this.#heartbeats, heartbeat];
      return free;
    });
  }

  find(name: string): Promise<Heartbeat | undefined> {
    return this.#reached(() => this.#find(name));
  }

  list(teamId?: string): Promise<readonly Heartbeat[]> {
    return this.#reached(() =>
      this.#heartbeats
        .filter(({ ownerTeamId }) => teamId === undefined || ownerTeamId === teamId)
        .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1)),
    );
  }

  async bytesOfTeam(teamId: string): Promise<number> {
    return Buffer.byteLength(JSON.stringify(await this.list(teamId)));
  }

  pingInTime(name: string, at: Date, teamId: string | undefined): Promise<boolean> {
    return this.#reached(() => {
      const found = this.#find(name);
      if (found?.nextDueAt === undefined || found.nextDueAt <= at) return false;
      if (teamId !== undefined && found.ownerTeamId !== teamId) return false;
      this.#put(found, pinged(found, at));
      return true;
    });
  }

  change(name: string, change: (present: Heartbeat) => Heartbeat): Promise<Heartbeat | undefined> {
    return this.#reached(() => {
      for (;;) {
        const found = this.#find(name);
        if (found === undefined) return undefined;
        const changed = change(found);
        // What was written meanwhile is seen by the next try.
        if (this.#find(name) !== found) continue;
        this.#put(found, changed);
        return changed;
      }
    });
  }

  async remove(name: string, change: (present: Heartbeat) => Heartbeat): Promise<Heartbeat | undefined> {
    const changed = await this.change(name, change);
    this.#heartbeats = this.#heartbeats.filter((heartbeat) => heartbeat.name !== name);
    return changed;
  }

  beat(beat: Beat): Promise<readonly Outage[]> {
    return this.#reached(() => {
      const last = this.#beat;
      const outages = outagesAfter(last && { ...last, silentMs: this.#nowMs - last.atMs }, beat);
      this.#beat = { atMs: this.#nowMs, at: beat.now, outages };
      return outages;
    });
  }

  expire({ dueBy, onExpired, outages, slowWrites }: Expiry): Promise<void> {
    return this.#reached(() => {
      const changes = this.#heartbeats.map((before) => {
        const by = slowWrites?.names.includes(before.name) === true ? slowWrites.by : dueBy();
        return { before, after: isDue(before, by) ? expired(before, by, outages) : before };
      });
      for (const { after, before } of changes) this.#put(before, after);
      const ended = changes.filter(({ after, before }) => after.step !== before.step).map(({ after }) => after);
      if (ended.length > 0) onExpired(ended);
    });
  }

  pending(now: Date): Promise<number> {
    return this.#reached(() => this.#heartbeats.filter((heartbeat) => isDue(heartbeat, now)).length);
  }

  nextDueAt(): Promise<Date | undefined> {
    return this.#reached(() => {
      const next = Math.min(...this.#heartbeats.map(({ nextDueAt }) => nextDueAt?.getTime() ?? Infinity));
      return Number.isFinite(next) ? new Date(next) : undefined;
    });
  }

  #find(name: string): Heartbeat | undefined {
    return this.#heartbeats.find((heartbeat) => heartbeat.name === name);
  }

  #put(before: Heartbeat, after: Heartbeat): void {
    this.#heartbeats = this.#heartbeats.map((each) => (each.id === after.id ? after : each));
    const command = alertCommand(before, after, (id, step) => `alert-${id}-${step}`);
    if (command !== undefined) this.commands.push(command);
  }

  #reached<T>(work: () => T): Promise<T> {
    if (this.#away) return Promise.reject(new UnavailableError('The database did not answer in time.'));
    return new Promise((resolve) => {
      resolve(work());
    });
  }
}

const isDue = ({ nextDueAt }: Heartbeat, by: Date): boolean => nextDueAt !== undefined && nextDueAt <= by;
