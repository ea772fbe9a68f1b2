import { setImmediate } from 'node:timers/promises';
import type { WebhookCommand } from '@tocsin/contracts';
import type { Happening } from '../domain/webhooks/happening.ts';
import { webhookCommand } from '../domain/webhooks/webhook-command.ts';
import { wantedBy, type WebhookContext, type WebhookRules } from '../domain/webhooks/webhook-rules.ts';

/** How long filters may block the event loop, in milliseconds of real time. */
const MOST_MS = 10;

/**
 * The webhook commands for `happenings`, in their order: one for each that an integration wants, and one for each
 * deleted alert. It yields to the event loop now and then, because filters may cost as much as policies (P3).
 */
export async function webhookCommands(
  happenings: readonly Happening[],
  rules: WebhookRules,
  context: WebhookContext,
): Promise<readonly WebhookCommand[]> {
  const commands: WebhookCommand[] = [];
  let since = performance.now();
  for (const happening of happenings) {
    const wanted = wantedBy(rules, happening, context);
    if (wanted.length > 0 || happening.action === 'Delete') commands.push(webhookCommand(happening, wanted, context));
    if (performance.now() - since < MOST_MS) continue;
    await setImmediate();
    since = performance.now();
  }
  return commands;
}
