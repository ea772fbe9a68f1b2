import { type Clock, ConflictError, UnavailableError } from '@tocsin/core';
import { compareVersions, type KeptShadow, SHADOW_TIMING } from '@tocsin/events';
import type { ShadowNotifier } from './client.ts';
import {
  atStart,
  isKept,
  newSwitch,
  overruling,
  type PublishedSwitch,
  type ShadowSwitch,
  switched,
  switchMessage,
  withImportedKeys,
  leavingImportedKeys,
} from './shadow-switch.ts';
import type { ShadowSwitchStore } from './store.ts';

/** Real time: the gateway waits for longer. */
const CONFIRM_WITHIN_MS = 13_000;
const ASK_EVERY_MS = 250;

export interface ShadowDependencies {
  readonly shadowSwitch: Pick<ShadowSwitchStore, 'change' | 'find' | 'publishNow'>;
  readonly shadowNotifier: ShadowNotifier;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly pause: (ms: number) => Promise<unknown>;
  /** Milliseconds of a clock that is never set back. */
  readonly nowMs?: () => number;
}

const isSame = ({ version }: ShadowSwitch, other: ShadowSwitch | undefined): boolean =>
  other !== undefined && compareVersions(version, other.version) === 0;

const changedMeanwhile = (): ConflictError => new ConflictError('Another request has changed the switch meanwhile.');

/** Reads and sets the switch that keeps messages back (M1). */
export class Shadow {
  readonly #ports: ShadowDependencies;

  constructor(ports: ShadowDependencies) {
    this.#ports = ports;
  }

  /** Makes the switch of a new account, or takes what the topic has of it: a restored database neither begins nor ends shadow (M3). */
  async restore(published: PublishedSwitch | undefined): Promise<void> {
    const { clock, shadowSwitch } = this.#ports;
    await shadowSwitch.change((stored) => atStart(stored, published, clock.now()));
  }

  async get(): Promise<ShadowSwitch> {
    const { clock, shadowSwitch } = this.#ports;
    return (await shadowSwitch.find()) ?? newSwitch(clock.now());
  }

  /**
   * Begins or ends shadow. Resolves once notifier says that it is in effect. Requests with imported keys are handled here only after
   * notifier sends, and no longer from before it holds back (M8).
   *
   * @throws UnavailableError where the topic does not have it, or notifier has not confirmed it in 13 s. It is stored.
   * @throws ConflictError where another request changed the switch meanwhile.
   */
  async set(enabled: boolean, by: string): Promise<ShadowSwitch> {
    const { clock, newId, nowMs = () => performance.now(), pause, shadowSwitch } = this.#ports;
    const untilMs = nowMs() + CONFIRM_WITHIN_MS;
    const left = enabled ? await this.#leaveImportedKeys() : undefined;
    let mine = await shadowSwitch.change((stored) => {
      const present = stored ?? newSwitch(clock.now());
      if (enabled && present.importedKeys !== undefined && !isSame(present, left)) throw changedMeanwhile();
      return switched(present, { enabled, by, at: clock.now(), newId });
    });
    // Also where this request changed nothing: an earlier one may have been answered 503.
    await shadowSwitch.publishNow();
    while (nowMs() < untilMs) {
      const kept = await this.#keep(mine);
      if (kept !== undefined && !isKept(mine, kept)) mine = await this.#overrule(mine, kept);
      else if (kept?.isEffective === true) return enabled ? mine : await this.#takeImportedKeys(mine);
      else await pause(ASK_EVERY_MS);
    }
    throw new UnavailableError(
      `Shadow is stored as ${enabled ? 'on' : 'off'}, and notifier has not confirmed it yet. Please send the request again.`,
    );
  }

  /** Resolves once every gateway forwards requests with imported keys. */
  async #leaveImportedKeys(): Promise<ShadowSwitch> {
    const { clock, pause, shadowSwitch } = this.#ports;
    const left = await shadowSwitch.change((stored) => leavingImportedKeys(stored ?? newSwitch(clock.now())));
    if (left.importedKeys === undefined) return left;
    await shadowSwitch.publishNow();
    // Also where an earlier request has stored it: its process may have died at once.
    await pause(SHADOW_TIMING.effectiveAfterMs);
    return left;
  }

  async #takeImportedKeys(mine: ShadowSwitch): Promise<ShadowSwitch> {
    const { shadowSwitch } = this.#ports;
    const taken = await shadowSwitch.change((stored) => {
      if (stored === undefined || !isSame(stored, mine)) throw changedMeanwhile();
      return withImportedKeys(stored);
    });
    await shadowSwitch.publishNow();
    return taken;
  }

  /** Undefined where notifier does not answer. */
  async #keep(mine: ShadowSwitch): Promise<KeptShadow | undefined> {
    try {
      return await this.#ports.shadowNotifier.keep(switchMessage(mine));
    } catch (error) {
      if (error instanceof UnavailableError) return undefined;
      throw error;
    }
  }

  /** Notifier keeps another state: of a later request, or from before a database was lost. */
  async #overrule(mine: ShadowSwitch, kept: KeptShadow): Promise<ShadowSwitch> {
    const { shadowSwitch } = this.#ports;
    const changed = await shadowSwitch.change((stored) => {
      if (stored === undefined || !isSame(stored, mine)) throw changedMeanwhile();
      return overruling(stored, kept);
    });
    await shadowSwitch.publishNow();
    return changed;
  }
}
