import type { AlertCommand, CreateAlert, TimedEvent } from '@tocsin/contracts';
import { timersOf } from './alarms.ts';
import type { Alert } from './alert.ts';
import { settleCommands, type SettleContext } from './settle.ts';
import { timerCommand } from './timer-command.ts';

/** What would become of an alert if nobody did anything. */
export interface SimulatedLife {
  /** The alert as it would be created; undefined if the create would make none. */
  readonly made: Alert | undefined;
  /** The events that would be published, until the alert is closed or waits for nothing more. */
  readonly events: readonly TimedEvent[];
  /** Whether more events would follow. */
  readonly truncated: boolean;
}

type Context = Pick<SettleContext, 'resolve' | 'judged'>;

/** The most alarms that are simulated: well above the restarts that a policy may ask for. */
const MOST_ALARMS = 100;

/**
 * Settles a create, then each alarm of its alert when due, with the code that settles real commands. Writes nothing.
 */
export function simulatedLife(create: CreateAlert, context: Context): SimulatedLife {
  const first = settledAt(new Date(create.acceptedAt), create, undefined, context);
  const events = [...first.told];
  let alert = first.alert;
  for (let alarms = 0; alert !== undefined && alarms < MOST_ALARMS; alarms += 1) {
    const [next] = timersOf(alert).toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime());
    if (next === undefined) return { made: first.alert, events, truncated: false };
    const after = settledAt(next.dueAt, timerCommand(next, next.dueAt), alert, context);
    events.push(...after.told);
    alert = after.alert;
  }
  return { made: first.alert, events, truncated: alert !== undefined };
}

function settledAt(
  at: Date,
  command: AlertCommand,
  before: Alert | undefined,
  context: Context,
): { readonly alert: Alert | undefined; readonly told: readonly TimedEvent[] } {
  const stored = { settled: new Set<string>(), alerts: before === undefined ? [] : [before] };
  const { events, inserted, updated } = settleCommands([command], stored, {
    ...context,
    firstTinyId: 0,
    processedAt: at,
  });
  const [alert = before] = [...inserted, ...updated];
  return { alert, told: events.map((event) => ({ at, event })) };
}
