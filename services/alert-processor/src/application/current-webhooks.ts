import { webhookRules, type WebhookRules } from '../domain/webhooks/webhook-rules.ts';
import type { Integrations } from '../ports/integrations.ts';

/** What integrations want to be told of at present: made ready once for each change of an integration. */
export class CurrentWebhooks {
  readonly #integrations: Integrations;
  #known: { readonly rules: WebhookRules | undefined } | undefined;

  constructor(integrations: Integrations) {
    this.#integrations = integrations;
    integrations.whenChanged(() => {
      this.#known = undefined;
    });
  }

  /** Undefined where nobody wants to be told of anything. */
  get(): WebhookRules | undefined {
    this.#known ??= { rules: webhookRules(this.#integrations.all()) };
    return this.#known.rules;
  }
}
