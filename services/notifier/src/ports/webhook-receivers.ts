import type { WebhookSettings } from '@tocsin/contracts';
import type { SendResult } from '../domain/attempts.ts';
import type { WebhookDelivery } from '../domain/webhooks/webhook-delivery.ts';

/** Knows where and how integrations are told. */
export interface WebhookDirectory {
  /**
   * Undefined where there is no such webhook, or no more.
   *
   * @throws UnavailableError where its owner cannot be asked.
   */
  of(integrationId: string): Promise<WebhookSettings | undefined>;
}

/** Tells receivers. */
export interface WebhookCaller {
  /** Answers within seconds and never rejects. No secret stands in a reason. */
  call(delivery: WebhookDelivery, settings: WebhookSettings): Promise<SendResult>;
}
