import { collectWords, type CollectedWords } from '@tocsin/alert-query';
import type { AlertEvent } from '@tocsin/contracts';

/** The words of an alert at one of its versions. */
export interface AlertWords {
  readonly alertId: string;
  readonly version: number;
  readonly words: CollectedWords;
}

/** The words of each alert at the last of its versions that `events` show; none of an alert that was deleted. */
export function latestWords(events: readonly AlertEvent[]): readonly AlertWords[] {
  const latest = new Map<string, AlertEvent>();
  for (const event of events) {
    const known = latest.get(event.alertId);
    if (known === undefined || known.version < event.version) latest.set(event.alertId, event);
  }
  return [...latest.values()]
    .filter(({ state }) => state.status !== 'deleted')
    .map(({ alertId, version, state }) => ({ alertId, version, words: collectWords(state) }));
}
