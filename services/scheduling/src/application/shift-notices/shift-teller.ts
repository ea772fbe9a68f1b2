import { setImmediate } from 'node:timers/promises';
import type { Clock } from '@tocsin/clock';
import { dueNotices } from '../../domain/shift-notices/due-notices.ts';
import type { ShiftClaim, ShiftsTold, ShiftTimers } from '../../ports/shift-timers.ts';
import { untilLoaded, type LoadedSnapshot, type Snapshots } from '../loaded-snapshot.ts';
import { decisionsOf } from './shift-decisions.ts';

/** Notices that one transaction writes, about: it has 5 s. */
const MOST_TOGETHER = 2_000;

export interface ShiftTellerPorts<C extends ShiftClaim> {
  readonly timers: ShiftTimers<C>;
  readonly snapshots: Snapshots;
  readonly clock: Clock;
}

/** Tells people that they come on call or go off, at the lead times that their rules ask for (U6). */
export class ShiftTeller<C extends ShiftClaim> {
  readonly #ports: ShiftTellerPorts<C>;

  constructor(ports: ShiftTellerPorts<C>) {
    this.#ports = ports;
  }

  /**
   * Tells what fell due in the schedules of `claims`. What goes wrong with one holds no other up: it comes again.
   *
   * @throws the first of what went wrong, after all others are told.
   */
  async tell(claims: readonly C[]): Promise<void> {
    const { clock, snapshots } = this.#ports;
    const now = clock.now();
    const snapshot = await snapshots.open();
    const told: ShiftsTold<C>[] = [];
    const errors: unknown[] = [];
    for (const claim of claims) {
      try {
        told.push(await this.#toldOf(claim, snapshot, now));
        if (noticesIn(told) >= MOST_TOGETHER) await this.#moveOn(told.splice(0));
      } catch (error) {
        errors.push(error);
      }
      // The same process pages people.
      await setImmediate();
    }
    await this.#moveOn(told);
    if (errors.length > 0) throw errors[0];
  }

  async #toldOf(claim: C, snapshot: LoadedSnapshot, now: Date): Promise<ShiftsTold<C>> {
    const schedule = snapshot.schedule(claim.id);
    if (schedule === undefined) return { claim, notices: [], decisions: [], nextAt: undefined };
    const due = await untilLoaded(snapshot, (known) => dueNotices(known, schedule, { from: claim.dueAt, now }));
    return { claim, notices: due.notices, decisions: decisionsOf(due, snapshot), nextAt: due.nextAt };
  }

  /** A claim that is lost must not keep the others from being told. */
  async #moveOn(told: readonly ShiftsTold<C>[]): Promise<void> {
    if (told.length === 0 || (await this.#ports.timers.moveOn(told)) || told.length === 1) return;
    for (const one of told) await this.#ports.timers.moveOn([one]);
  }
}

const noticesIn = (told: readonly ShiftsTold<ShiftClaim>[]): number =>
  told.reduce((sum, { decisions }) => sum + decisions.length, 0);
