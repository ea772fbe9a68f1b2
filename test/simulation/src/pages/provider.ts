import type { AttemptReference, Outgoing, SendResult } from '@tocsin/notifier/testing';
import { LostError, type NetworkLink } from '../network.ts';

/** A message that the provider took. */
export interface HandOver {
  readonly deliveryId: string;
  readonly attempt: number;
  /** The name of the process that sent it. */
  readonly process: string;
  /** Whether the answer was lost. */
  isUnanswered: boolean;
}

/** A provider of mails that records what it takes. Requests and answers may be lost. */
export class RecordingProvider {
  readonly handOvers: HandOver[] = [];

  /** What the process of `link` sends. A message that never arrived is refused for now, as where no connection can be made. */
  async send(link: NetworkLink, _: Outgoing, { attempt, deliveryId }: AttemptReference): Promise<SendResult> {
    let handOver: HandOver | undefined;
    try {
      await link.send(`attempt ${attempt} of ${deliveryId}`, () => {
        handOver = { deliveryId, attempt, process: link.client.name, isUnanswered: false };
        this.handOvers.push(handOver);
      });
      return { kind: 'accepted', response: 'ok' };
    } catch (error) {
      if (!(error instanceof LostError)) throw error;
      if (handOver === undefined) return { kind: 'temporary', reason: 'the provider cannot be reached' };
      handOver.isUnanswered = true;
      return { kind: 'unknown', reason: 'the provider did not answer' };
    }
  }
}
