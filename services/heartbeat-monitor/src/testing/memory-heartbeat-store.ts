import { UnavailableError } from '@tocsin/errors';
import { dueAtOf, expired, pinged, toldUpTo, type Heartbeat } from '../domain/heartbeat.ts';
import { outagesAfter, type Beat, type Outage } from '../domain/outage.ts';
import type { HeartbeatStore, SlowWrites } from '../ports/heartbeat-store.ts';

/** Heartbeats in memory. Its database's clock stands still unless a test moves it. */
export class MemoryHeartbeatStore implements HeartbeatStore {
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
      const free = this.#live(heartbeat.name) === undefined;
      if (free) this.#heartbeats = [...this.#heartbeats, heartbeat];
      return free;
    });
  }

  find(name: string): Promise<Heartbeat | undefined> {
    return this.#reached(() => this.#live(name));
  }

  list(teamId?: string): Promise<readonly Heartbeat[]> {
    return this.#reached(() =>
      this.#heartbeats
        .filter(({ deleted, ownerTeamId }) => !deleted && (teamId === undefined || ownerTeamId === teamId))
        .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1)),
    );
  }

  async bytesOfTeam(teamId: string): Promise<number> {
    return Buffer.byteLength(JSON.stringify(await this.list(teamId)));
  }

  pingWaitedFor(name: string, at: Date, teamId: string | undefined): Promise<boolean> {
    return this.#reached(() => {
      const found = this.#live(name);
      if (found?.expiresAt === undefined || (teamId !== undefined && found.ownerTeamId !== teamId)) return false;
      this.#put(pinged(found, at));
      return true;
    });
  }

  change(name: string, change: (present: Heartbeat) => Heartbeat): Promise<Heartbeat | undefined> {
    return this.#reached(() => {
      for (;;) {
        const found = this.#live(name);
        if (found === undefined) return undefined;
        const changed = change(found);
        // What was written meanwhile is seen by the next try.
        if (this.#live(name) !== found) continue;
        this.#put(changed);
        return changed;
      }
    });
  }

  beat(beat: Beat): Promise<readonly Outage[]> {
    return this.#reached(() => {
      const last = this.#beat;
      const outages = outagesAfter(last && { ...last, silentMs: this.#nowMs - last.atMs }, beat);
      this.#beat = { atMs: this.#nowMs, at: beat.now, outages };
      return outages;
    });
  }

  expire(now: Date, outages: readonly Outage[], writes?: SlowWrites): Promise<number> {
    return this.#reached(() => {
      const after = this.#heartbeats.map((before) => {
        const by = writes?.names.includes(before.name) === true ? writes.by : now;
        return { before, heartbeat: expired(before, by, outages) };
      });
      const due = after.filter(({ before, heartbeat }) => heartbeat !== before);
      for (const { heartbeat } of due) this.#put(heartbeat);
      return due.length;
    });
  }

  untold(limit: number): Promise<readonly Heartbeat[]> {
    return this.#reached(() =>
      this.#heartbeats
        .filter(({ untoldSince }) => untoldSince !== undefined)
        .toSorted((a, b) => Number(a.untoldSince) - Number(b.untoldSince))
        .slice(0, limit),
    );
  }

  markTold(told: readonly { readonly id: string; readonly steps: number }[]): Promise<void> {
    return this.#reached(() => {
      for (const { id, steps } of told) {
        const found = this.#heartbeats.find((heartbeat) => heartbeat.id === id);
        if (found !== undefined) this.#put(toldUpTo(found, steps));
      }
    });
  }

  pending(now: Date, outages: readonly Outage[]): Promise<number> {
    return this.#reached(() => {
      const due = this.#heartbeats.filter((heartbeat) => expired(heartbeat, now, outages) !== heartbeat);
      return due.length + this.#heartbeats.filter(({ untoldSince }) => untoldSince !== undefined).length;
    });
  }

  nextDueAt(outages: readonly Outage[]): Promise<Date | undefined> {
    return this.#reached(() => {
      const all = this.#heartbeats.map((heartbeat) => dueAtOf(heartbeat, outages)?.getTime() ?? Infinity);
      const next = Math.min(...all);
      return Number.isFinite(next) ? new Date(next) : undefined;
    });
  }

  #live(name: string): Heartbeat | undefined {
    return this.#heartbeats.find((heartbeat) => heartbeat.name === name && !heartbeat.deleted);
  }

  #put(heartbeat: Heartbeat): void {
    const gone = heartbeat.deleted && heartbeat.untoldSince === undefined;
    this.#heartbeats = this.#heartbeats.flatMap((each) => {
      if (each.id !== heartbeat.id) return [each];
      return gone ? [] : [heartbeat];
    });
  }

  #reached<T>(work: () => T): Promise<T> {
    if (this.#away) return Promise.reject(new UnavailableError('The database did not answer in time.'));
    return new Promise((resolve) => {
      resolve(work());
    });
  }
}
