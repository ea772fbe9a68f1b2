import { webhookRules, type WebhookRules } from '../domain/webhooks/webhook-rules.ts';
import type { Integrations } from '../ports/integrations.ts';

/** What integrations want to be told of at present; compiled anew only after an integration changed. */
export class CurrentWebhooks {
  readonly #integrations: Integrations;
  #known: { readonly rules: WebhookRules | undefined } | undefined;

  constructor(integrations: Integrations) {
    this.#integrations = integrations;
    integrations.whenChanged(() => {
      this.#known = undefined;
    });
  }

  /** Undefined if no integration wants anything. */
  get(): WebhookRules | undefined {
    this.#known ??= { rules: webhookRules(this.#integrations.all()) };
    return this.#known.rules;
  }
}
