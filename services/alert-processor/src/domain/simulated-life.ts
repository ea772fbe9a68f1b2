import type { AlertEvent, CreateAlert, TimedEvent } from '@tocsin/contracts';
import type { Alert } from './alert.ts';
import { nextDueAt } from './due.ts';
import { settleCommands, type SettleContext } from './settle.ts';
import { settleDue } from './settle-due.ts';

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

/** The most instants with scheduled actions that are simulated: well above the restarts that a policy may ask for. */
const MAX_INSTANTS = 100;

/**
 * Settles a create, then does what its alert does by itself when it is due, with the code that does so really. Writes nothing.
 */
export function simulatedLife(create: CreateAlert, { judged, resolve }: Context): SimulatedLife {
  const createdAt = new Date(create.acceptedAt);
  const stored = { settled: new Set<string>(), alerts: [] };
  const created = settleCommands([create], stored, {
    resolve,
    ...(judged && { judged }),
    firstTinyId: 0,
    processedAt: createdAt,
  });
  const events: TimedEvent[] = timed(createdAt, created.events);
  const [made] = created.inserted;
  let alert = made;
  for (let instants = 0; alert !== undefined && instants < MAX_INSTANTS; instants += 1) {
    const dueAt = nextDueAt(alert);
    if (dueAt === undefined) return { made, events, truncated: false };
    const after = settleDue([alert], { resolve, processedAt: dueAt, until: dueAt });
    events.push(...timed(dueAt, after.events));
    [alert] = after.updated;
  }
  return { made, events, truncated: alert !== undefined };
}

const timed = (at: Date, events: readonly AlertEvent[]): TimedEvent[] => events.map((event) => ({ at, event }));
