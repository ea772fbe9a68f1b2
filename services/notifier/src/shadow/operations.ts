import { UnavailableError } from '@tocsin/core';
import {
  compareVersions,
  type KeptShadow,
  SHADOW_SWITCH,
  SHADOW_TIMING,
  type ShadowSwitchState,
  type Version,
} from '@tocsin/events';
import type { ReplicaView } from '@tocsin/kafka';
import {
  endsAnother,
  isSentInShadow,
  type KeptSwitch,
  lacksEnd,
  type PublishedState,
  type SentKind,
  type ShadowState,
} from './shadow.ts';
import type { ShadowStore } from './store.ts';

export interface ShadowGatePorts {
  readonly store: Pick<ShadowStore, 'find' | 'isSending' | 'keep'>;
  readonly switches: Pick<ReplicaView<ShadowSwitchState>, 'fetch' | 'get' | 'whenChanged'>;
  /** Milliseconds of a clock that is never set back, and goes on while the process is frozen. */
  readonly nowMs?: () => number;
}

/** The switch that keeps messages back, as this process knows it. A process that does not know it sends nothing (M3). */
export class ShadowGate {
  readonly #ports: ShadowGatePorts;
  readonly #nowMs: () => number;
  /** The newest state that directory has published, of those that this process has got. */
  #published: PublishedState | undefined;
  #kept: KeptSwitch | undefined;
  #knownUntilMs = -Infinity;
  /** When this process first had read the version that it knows. */
  #firstReadMs = Infinity;

  constructor(ports: ShadowGatePorts) {
    this.#ports = ports;
    this.#nowMs = ports.nowMs ?? (() => performance.now());
    ports.switches.whenChanged((_, version) => {
      const state = ports.switches.get(SHADOW_SWITCH);
      if (state !== undefined && version !== undefined) this.#takePublished({ state, version });
    });
  }

  get state(): ShadowState {
    if (this.#kept === undefined || this.#published === undefined || this.#nowMs() >= this.#knownUntilMs)
      return 'unknown';
    return this.#kept.enabled ? 'on' : 'off';
  }

  /** Whether a message that is due now is recorded and not sent. */
  holdsBack(kind: SentKind): boolean {
    return this.state === 'on' && !isSentInShadow(kind);
  }

  /** Whether a message may be given to its provider at this instant. To be asked right before. */
  maySend(kind: SentKind): boolean {
    const { state } = this;
    return state === 'off' || (state === 'on' && isSentInShadow(kind));
  }

  /** Whether the period of shadow that is kept was ended by no state that directory has published, although shadow is off there. */
  get isEndMissing(): boolean {
    return this.#kept !== undefined && this.#published !== undefined && lacksEnd(this.#kept, this.#published);
  }

  /**
   * Reads the switch. At the start, where the topic has none, directory is asked for it.
   *
   * @throws UnavailableError where MongoDB, or directory at the start, does not answer.
   */
  async refresh(): Promise<void> {
    const { store, switches } = this.#ports;
    // The answer of directory comes as a change of the replica.
    if (this.#published === undefined) await switches.fetch('id', SHADOW_SWITCH);
    const startedMs = this.#nowMs();
    const kept = await store.find();
    const newer = this.#newerThan(kept);
    this.#learn(newer === undefined ? kept : await store.keep(newer), startedMs);
  }

  /**
   * Keeps a state that directory sends, and resolves with what is kept now. It is effective once every process knows it or sends nothing,
   * and, where shadow is on, no message is being handed over any more.
   *
   * @throws UnavailableError where MongoDB does not answer.
   */
  async keep(published: PublishedState): Promise<KeptShadow> {
    const { store } = this.#ports;
    const startedMs = this.#nowMs();
    const kept = await store.keep(published);
    this.#takePublished(published);
    this.#learn(kept, startedMs);
    const isKnown = this.#nowMs() - this.#firstReadMs >= SHADOW_TIMING.effectiveAfterMs;
    const isEffective = isKnown && !(kept.enabled && (await store.isSending()));
    return { ...kept, isEffective };
  }

  #takePublished(published: PublishedState): void {
    if (this.#published === undefined || compareVersions(published.version, this.#published.version) > 0)
      this.#published = published;
  }

  /** The published state, where it is newer than what is kept. */
  #newerThan(kept: KeptSwitch | undefined): PublishedState | undefined {
    const published = this.#published;
    if (published === undefined || kept === undefined) return published;
    return compareVersions(published.version, kept.version) > 0 ? published : undefined;
  }

  #learn(kept: KeptSwitch | undefined, startedMs: number): void {
    const before = this.#kept;
    if (before !== undefined && !follows(kept, before)) {
      // An older read ended later, or the database was restored while this process runs.
      if (startedMs + SHADOW_TIMING.knownForMs <= this.#knownUntilMs) return;
      throw new UnavailableError('The switch of shadow that is stored is older than the one that this process knows.');
    }
    if (kept !== undefined && !isSame(before?.version, kept.version)) this.#firstReadMs = this.#nowMs();
    this.#kept = kept;
    this.#knownUntilMs = Math.max(this.#knownUntilMs, startedMs + SHADOW_TIMING.knownForMs);
  }
}

/** Whether a state is the one that was known, or a later one that does not lose a period of shadow. */
const follows = (kept: KeptSwitch | undefined, before: KeptSwitch): kept is KeptSwitch =>
  kept !== undefined && compareVersions(kept.version, before.version) >= 0 && !endsAnother(before, kept);

const isSame = (one: Version | undefined, other: Version): boolean =>
  one !== undefined && compareVersions(one, other) === 0;
