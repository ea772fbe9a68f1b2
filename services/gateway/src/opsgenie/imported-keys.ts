import {
  compareVersions,
  SHADOW_SWITCH,
  SHADOW_TIMING,
  type ShadowSwitchState,
  type StateMessage,
  type Version,
} from '@tocsin/events';
import type { ReplicaView } from '@tocsin/kafka';
import type { ServiceContext } from '@tocsin/service';

const READ_EVERY_MS = 1_000;
/** Ends a read that is stuck while the result of the one before still counts. */
const READ_TIMEOUT_MS = 2_500;

export interface ImportedKeysPorts {
  /** The switch as directory has it now; undefined where it has none. */
  readonly read: () => Promise<StateMessage<ShadowSwitchState> | undefined>;
  readonly switches: Pick<ReplicaView<ShadowSwitchState>, 'get' | 'whenChanged'>;
  /** Milliseconds of a clock that is never set back, and goes on while the process is frozen. */
  readonly nowMs?: () => number;
}

/**
 * Where requests with imported keys are handled. They are handled here only while this process knows that shadow has ended, which is for
 * {@link SHADOW_TIMING} after each read; otherwise they are forwarded.
 */
export class ImportedKeys {
  readonly #ports: ImportedKeysPorts;
  readonly #nowMs: () => number;
  /** The newest version of the switch that this process has got. */
  #newest: Version | undefined;
  #hereUntilMs = -Infinity;

  constructor(ports: ImportedKeysPorts) {
    this.#ports = ports;
    this.#nowMs = ports.nowMs ?? (() => performance.now());
    ports.switches.whenChanged((_, version) => {
      if (version === undefined || !this.#isNew(version)) return;
      this.#newest = version;
      if (ports.switches.get(SHADOW_SWITCH)?.importedKeys !== 'here') this.#hereUntilMs = -Infinity;
    });
  }

  /** To be asked right before a request goes to its service. */
  get areHandledHere(): boolean {
    return this.#nowMs() < this.#hereUntilMs;
  }

  /** @throws UnavailableError where directory does not answer: what was read before counts until its time is over. */
  async refresh(): Promise<void> {
    const startedMs = this.#nowMs();
    const message = await this.#ports.read();
    // A database of directory that was restored has an older state than its topic.
    if (message === undefined || message.deleted || !this.#isNew(message.version)) return;
    this.#newest = message.version;
    this.#hereUntilMs = message.state.importedKeys === 'here' ? startedMs + SHADOW_TIMING.knownForMs : -Infinity;
  }

  #isNew(version: Version): boolean {
    return this.#newest === undefined || compareVersions(version, this.#newest) >= 0;
  }
}

/** Follows the switch until the stop. */
export function followImportedKeys(
  { logger, tasks }: Pick<ServiceContext, 'logger' | 'tasks'>,
  importedKeys: ImportedKeys,
): void {
  let before: boolean | undefined;
  tasks.add({
    name: 'read-shadow',
    everyMs: READ_EVERY_MS,
    timeoutMs: READ_TIMEOUT_MS,
    activate: async () => {
      try {
        await importedKeys.refresh();
      } finally {
        const { areHandledHere } = importedKeys;
        if (areHandledHere !== before)
          logger.info(
            {},
            `requests with imported keys are ${areHandledHere ? 'handled here' : 'forwarded to Opsgenie'}`,
          );
        before = areHandledHere;
      }
    },
  });
}
