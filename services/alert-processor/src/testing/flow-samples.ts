import type { AlertCommand, CreateAlert } from '@tocsin/events';
import { AT_ONCE, type FlowPlan, type HoldPlan } from '../policies/policy-result.ts';
import type { Alert } from '../alerts/alert.ts';
import { applyCommands, type Changes, type CommandContext } from '../alerts/apply-commands.ts';
import { applyDueActions } from '../alerts/apply-due.ts';
import { pagingCreate } from './commands-samples.ts';

const CREATED_AT = Date.parse('2026-01-05T08:00:00.000Z');

/** The instant this many minutes after the alert was created. */
export const after = (minutes: number): string => new Date(CREATED_AT + minutes * 60_000).toISOString();

/** That instant, as a step. */
export const at = (minutes: number): Date => new Date(after(minutes));

export const minutes = (amount: number): number => amount * 60_000;

export const delayedBy = (amount: number): HoldPlan => ({
  kind: 'delay',
  policy: '[Nights]',
  until: new Date(after(amount)),
});

export const deduplicated = (count: number, withinMs?: number): HoldPlan => ({
  kind: 'deduplication',
  policy: '[Flapping]',
  count,
  withinMs,
});

export const restartedEvery = (amount: number, times: number): Partial<FlowPlan> => ({
  autoRestart: { policy: '[Insist]', everyMs: minutes(amount), times },
});

export const closedAfter = (amount: number): Partial<FlowPlan> => ({
  autoClose: { policy: '[Tidy]', afterMs: minutes(amount) },
});

/** A command to process, or an instant at which the due work is done. */
export type Step = AlertCommand | Date;

/** The alerts after steps, one after the other. */
export interface Lived extends Pick<Changes, 'events' | 'webhookEvents' | 'logs' | 'statuses'> {
  /** Those that are not deleted, as they are after the last step. */
  readonly alerts: readonly Alert[];
}

/** Takes `steps` one after the other. Commands are processed at the instant of the context, due work at its instant. */
export function live(steps: readonly Step[], context: CommandContext): Lived {
  const alerts = new Map<string, Alert>();
  const processed = new Set<string>();
  const all: Changes[] = [];
  for (const step of steps) {
    const stored = [...alerts.values()];
    const changes: Changes =
      step instanceof Date
        ? { ...applyDueActions(stored, { ...context, processedAt: step, until: step }), ...NO_REQUEST }
        : applyCommands([step], { processed, alerts: stored }, { ...context, firstTinyId: alerts.size + 1 });
    for (const alert of [...changes.inserted, ...changes.updated]) alerts.set(alert.id, alert);
    for (const id of changes.deleted) alerts.delete(id);
    for (const { requestId } of changes.statuses) processed.add(requestId);
    all.push(changes);
  }
  return {
    alerts: [...alerts.values()],
    events: all.flatMap(({ events }) => events),
    webhookEvents: all.flatMap(({ webhookEvents }) => webhookEvents),
    logs: all.flatMap(({ logs }) => logs).filter(({ alertId }) => alerts.has(alertId)),
    statuses: all.flatMap(({ statuses }) => statuses),
  };
}

const NO_REQUEST = { statuses: [], links: [], released: [], hookItems: [] };

/** An alert with the given plan of policies; by default `disk`, with a responder. */
export class PlannedAlert {
  readonly create: CreateAlert;
  readonly #context: CommandContext;

  constructor(plan: Partial<FlowPlan>, create = pagingCreate('disk', { at: after(0) })) {
    this.create = create;
    this.#context = {
      resolve: ({ id = '' }) => (id === 'unavailable' ? { kind: 'unreachable' } : { kind: 'known', id, name: id }),
      firstTinyId: 1,
      processedAt: new Date(after(0)),
      policyResults: new Map([[this.create.requestId, { flow: { ...AT_ONCE, ...plan }, entry: undefined }]]),
    };
  }

  get id(): string {
    return this.create.alert.alertId;
  }

  /** Processes its create, and takes `steps`. */
  live(...steps: readonly Step[]): Lived {
    return live([this.create, ...steps], this.#context);
  }
}
