import { UnavailableError } from '@tocsin/core';
import { Admission } from '@tocsin/http';
import type { CallbackOutcome } from '../../channels/operations.ts';
import type { TakeButtons } from '../button-operations.ts';
import type { TakeCommands } from '../commands/operations.ts';
import type { SlackSocketApp } from './app.ts';
import type { Envelope } from './message.ts';

/** Envelopes under way in this process, by app. Slack waits for 3 s. */
const UNDER_WAY = { inAll: 40, each: 10, waiting: { inAll: 200, each: 40 }, waitMs: 2_500 };

export interface TakeEnvelopesPorts {
  readonly buttons: Pick<TakeButtons, 'takeFromSocket'>;
  readonly commands: Pick<TakeCommands, 'takeFromSocket'>;
  /** Called where an envelope was given up, because too many are under way. */
  readonly onCallback: (outcome: CallbackOutcome) => void;
  /** Called where an envelope could not be taken. */
  readonly onFailure: (error: unknown) => void;
}

/** Takes what Slack reports by the connection of an app: presses of buttons (C7) and commands (C9). */
export class TakeEnvelopes {
  readonly #ports: TakeEnvelopesPorts;
  readonly #underWay = new Admission(UNDER_WAY);

  constructor(ports: TakeEnvelopesPorts) {
    this.#ports = ports;
  }

  /**
   * Resolves with the acknowledgement, once the effect survives any crash; the same envelope again has no further effect. Undefined where
   * it could not be taken: without an acknowledgement Slack sends it again, or says to its user that it failed. Never rejects.
   */
  async take(envelope: Envelope, app: SlackSocketApp): Promise<string | undefined> {
    const { onCallback, onFailure } = this.#ports;
    try {
      await this.#underWay.acquire(app.key);
    } catch {
      onCallback('limited');
      return undefined;
    }
    try {
      return JSON.stringify({ envelope_id: envelope.id, ...(await this.#taken(envelope, app)) });
    } catch (error) {
      if (!(error instanceof UnavailableError)) onFailure(error);
      return undefined;
    } finally {
      this.#underWay.release(app.key);
    }
  }

  /** An envelope of another type, which an app may be set up to send, has no effect. */
  async #taken({ payload, takesAnswer, type }: Envelope, app: SlackSocketApp): Promise<{ readonly payload?: unknown }> {
    const { buttons, commands } = this.#ports;
    if (type === 'interactive') await buttons.takeFromSocket(payload, app);
    if (type !== 'slash_commands') return {};
    const answer = await commands.takeFromSocket(payload, app);
    return answer === undefined || !takesAnswer ? {} : { payload: JSON.parse(answer.content) as unknown };
  }
}
