import { setImmediate } from 'node:timers/promises';
import type { WebhookCommand } from '@tocsin/contracts';
import type { Happening } from '../domain/webhooks/happening.ts';
import { webhookCommand } from '../domain/webhooks/webhook-command.ts';
import { wantedBy, type WebhookContext, type WebhookRules } from '../domain/webhooks/webhook-rules.ts';

/** So long may filters keep everybody else waiting, in milliseconds of real time. */
const MOST_MS = 10;

/**
 * The orders to tell of what happened, in its order: one for each thing that somebody wants, and one for each alert that is
 * deleted. The event loop turns now and then, because filters may cost as much as policies (P3).
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
