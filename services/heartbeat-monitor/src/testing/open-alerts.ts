import { AlertCommands } from '@tocsin/events';

/** The effect of commands in alert-processor: which aliases have an open alert, and how many alerts there were in all. */
export interface AlertsAfter {
  readonly open: readonly string[];
  readonly opened: number;
}

/** Settles commands in the order of the topic, each request id once, as alert-processor does (A2, A7). */
export function alertsAfter(commands: readonly unknown[]): AlertsAfter {
  const settled = new Set<string>();
  const open = new Set<string>();
  let opened = 0;
  for (const command of commands) {
    const { kind, requestId, identifier } = AlertCommands.schema.parse(command);
    if (settled.has(requestId)) continue;
    settled.add(requestId);
    if (kind === 'close') open.delete(identifier.value);
    if (kind !== 'create' || open.has(identifier.value)) continue;
    open.add(identifier.value);
    opened += 1;
  }
  return { open: [...open], opened };
}
