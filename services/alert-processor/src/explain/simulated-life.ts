import type { AlertEvent, CreateAlert, TimedEvent } from '@tocsin/events';
import type { Alert } from '../alerts/alert.ts';
import { nextDueAt } from '../alerts/due.ts';
import { applyCommands, type CommandContext } from '../alerts/apply-commands.ts';
import { applyDueActions } from '../alerts/apply-due.ts';

/** The simulated life of an alert if no user acts. */
export interface SimulatedLife {
  /** The alert as it would be created; undefined if the create would make none. */
  readonly made: Alert | undefined;
  /** The events that would be published, until the alert is closed or waits for nothing more. */
  readonly events: readonly TimedEvent[];
  /** Whether more events would follow. */
  readonly truncated: boolean;
}

type Context = Pick<CommandContext, 'resolve' | 'policyResults'>;

/** The most instants with scheduled actions that are simulated: well above the restarts that a policy may ask for. */
const MAX_INSTANTS = 100;

/** Processes a create and then the scheduled actions of its alert, with the code that does so for real alerts. Writes nothing. */
export function simulatedLife(create: CreateAlert, { policyResults, resolve }: Context): SimulatedLife {
  const createdAt = new Date(create.acceptedAt);
  const stored = { processed: new Set<string>(), alerts: [] };
  const created = applyCommands([create], stored, {
    resolve,
    ...(policyResults && { policyResults }),
    firstTinyId: 0,
    processedAt: createdAt,
  });
  const events: TimedEvent[] = timed(createdAt, created.events);
  const [made] = created.inserted;
  let alert = made;
  for (let instants = 0; alert !== undefined && instants < MAX_INSTANTS; instants += 1) {
    const dueAt = nextDueAt(alert);
    if (dueAt === undefined) return { made, events, truncated: false };
    const after = applyDueActions([alert], { resolve, processedAt: dueAt, until: dueAt });
    events.push(...timed(dueAt, after.events));
    [alert] = after.updated;
  }
  return { made, events, truncated: alert !== undefined };
}

const timed = (at: Date, events: readonly AlertEvent[]): TimedEvent[] => events.map((event) => ({ at, event }));
