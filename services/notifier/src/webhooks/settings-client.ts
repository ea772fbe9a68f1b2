import { type Clock, UnavailableError } from '@tocsin/core';
import { WebhookSettings } from '@tocsin/events';
import type { InternalClient } from '@tocsin/http';

/** How long an answer is valid while no change of the integration is published. */
const CACHED_MS = 30_000;

interface Known {
  readonly settings: WebhookSettings | undefined;
  readonly untilMs: number;
}

/**
 * Asks alert-ingest, the owner of the settings. They are kept in memory for half a minute at most, and no longer than until
 * `integrations.v1` has another version.
 */
export class WebhookSettingsClient {
  readonly #client: Pick<InternalClient, 'get'>;
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();
  readonly #asking = new Map<string, Promise<WebhookSettings | undefined>>();

  constructor(
    client: Pick<InternalClient, 'get'>,
    integrations: { whenChanged(listener: (id: string) => void): unknown },
    clock: Clock,
  ) {
    this.#client = client;
    this.#clock = clock;
    integrations.whenChanged((id) => {
      this.#known.delete(id);
      // A pending answer may be older than the change.
      this.#asking.delete(id);
    });
  }

  /**
   * Undefined where the webhook does not exist.
   *
   * @throws UnavailableError where alert-ingest does not answer.
   */
  of(integrationId: string): Promise<WebhookSettings | undefined> {
    const known = this.#known.get(integrationId);
    if (known !== undefined && this.#clock.now().getTime() < known.untilMs) return Promise.resolve(known.settings);
    const asking = this.#asking.get(integrationId) ?? this.#ask(integrationId);
    this.#asking.set(integrationId, asking);
    return asking;
  }

  #ask(id: string): Promise<WebhookSettings | undefined> {
    const asking = this.#answer(id).then((settings) => {
      if (this.#asking.get(id) === asking) this.#keep(id, settings);
      return settings;
    });
    const over = (): void => {
      if (this.#asking.get(id) === asking) this.#asking.delete(id);
    };
    asking.then(over, over);
    return asking;
  }

  /** Forgets settings that are too old: secrets are not kept longer than they are used. The oldest come first. */
  #keep(id: string, settings: WebhookSettings | undefined): void {
    const nowMs = this.#clock.now().getTime();
    for (const [known, { untilMs }] of this.#known) {
      if (untilMs > nowMs) break;
      this.#known.delete(known);
    }
    this.#known.delete(id);
    this.#known.set(id, { settings, untilMs: nowMs + CACHED_MS });
  }

  /** How many are kept. */
  get size(): number {
    return this.#known.size;
  }

  async #answer(id: string): Promise<WebhookSettings | undefined> {
    const { body, status } = await this.#client.get(`/internal/webhooks/${encodeURIComponent(id)}`);
    const read = WebhookSettings.nullable().safeParse(body['data']);
    if (status === 200 && read.success) return read.data ?? undefined;
    throw new UnavailableError('The settings of a webhook cannot be read. Please try again.');
  }
}
