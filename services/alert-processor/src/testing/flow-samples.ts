import type { AlertCommand, CreateAlert } from '@tocsin/contracts';
import { AT_ONCE, type FlowPlan, type HoldPlan } from '../domain/policies/judgement.ts';
import { settleCommands, type Changes, type SettleContext } from '../domain/settle.ts';
import { pagingCreate, timerOf } from './commands-samples.ts';

const CREATED_AT = Date.parse('2026-01-05T08:00:00.000Z');

/** The instant this many minutes after the alert was created. */
export const after = (minutes: number): string => new Date(CREATED_AT + minutes * 60_000).toISOString();

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

/** An alert with the given plan of policies; by default `disk`, with a responder. */
export class PlannedAlert {
  readonly create: CreateAlert;
  readonly #context: SettleContext;

  constructor(plan: Partial<FlowPlan>, create = pagingCreate('disk', { at: after(0) })) {
    this.create = create;
    this.#context = {
      resolve: ({ id = '' }) => (id === 'away' ? { kind: 'unreachable' } : { kind: 'known', id, name: id }),
      firstTinyId: 1,
      processedAt: new Date(after(0)),
      judged: new Map([[this.create.requestId, { flow: { ...AT_ONCE, ...plan }, entry: undefined }]]),
    };
  }

  get id(): string {
    return this.create.alert.alertId;
  }

  /** The command of its timer of `kind`, `minute` minutes after its creation. */
  due(kind: Parameters<typeof timerOf>[0], fence: number, minute: number): AlertCommand {
    return timerOf(kind, this.id, fence, after(minute));
  }

  /** Settles its create and `commands` in one batch. */
  settle(...commands: readonly AlertCommand[]): Changes {
    return settleCommands([this.create, ...commands], { settled: new Set(), alerts: [] }, this.#context);
  }
}
