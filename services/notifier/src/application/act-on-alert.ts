import type { Clock } from '@tocsin/clock';
import type { AlertAct } from '../domain/alert-act.ts';
import type { ActStore } from '../ports/act-store.ts';

export interface ActOnAlertPorts {
  readonly store: ActStore;
  readonly clock: Clock;
}

/** Takes what people do to alerts by their answers to messages: by a link, a reply or a key (U9). */
export class ActOnAlert {
  readonly #ports: ActOnAlertPorts;

  constructor(ports: ActOnAlertPorts) {
    this.#ports = ports;
  }

  /**
   * Orders the change in the name of its user. Once this resolves, the order survives any crash, and is carried out soon.
   * `repeated`: the same answer was taken before, and this one changes nothing.
   *
   * @throws what the store throws; then the answer may be given again.
   */
  async act(act: AlertAct): Promise<'taken' | 'repeated'> {
    return (await this.#ports.store.take(act, this.#ports.clock.now())) ? 'taken' : 'repeated';
  }

  /** Whether an answer with this request id was taken before. */
  async wasTaken(requestId: string): Promise<boolean> {
    return this.#ports.store.isKnown(requestId);
  }
}
