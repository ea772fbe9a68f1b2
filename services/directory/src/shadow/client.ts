import { UnavailableError } from '@tocsin/core';
import { KeptShadow, type ShadowSwitchMessage } from '@tocsin/events';
import type { InternalClient } from '@tocsin/http';

/** Tells notifier of the switch. */
export interface ShadowNotifier {
  /**
   * What notifier keeps now, after it got this state.
   *
   * @throws UnavailableError where notifier does not answer.
   */
  keep(message: ShadowSwitchMessage): Promise<KeptShadow>;
}

export class ShadowNotifierClient implements ShadowNotifier {
  readonly #notifier: Pick<InternalClient, 'put'>;

  constructor(notifier: Pick<InternalClient, 'put'>) {
    this.#notifier = notifier;
  }

  async keep(message: ShadowSwitchMessage): Promise<KeptShadow> {
    const { body, status } = await this.#notifier.put('/internal/shadow', message);
    const kept = KeptShadow.safeParse(body['data']);
    if (status === 200 && kept.success) return kept.data;
    throw new UnavailableError('Notifier gave no usable answer about shadow.');
  }
}
