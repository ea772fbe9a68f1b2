import type { Answer } from '@tocsin/test-e2e/cluster';
import { keyOf, type Arrival } from './recovery.ts';

interface LogEntry {
  readonly log: string;
}

const REPEAT = /interrupted and it may have arrived; repeat (\d+) of /;

/**
 * How often the log of an alert says that a page of this user is sent again, because its sending was interrupted and it may have arrived
 * (U17).
 */
export function interruptionsOf(entries: readonly LogEntry[], username: string): number {
  const numbers = entries
    .filter(({ log }) => log.split(/[ ,]/).includes(username))
    .map(({ log }) => Number(REPEAT.exec(log)?.[1] ?? 0));
  return Math.max(0, ...numbers);
}

/** What is needed to read the logs of alerts. */
interface LogReader {
  /** Asks for the log of the alert of an alias. */
  read(alias: string): Promise<Pick<Answer, 'status' | 'error' | 'body'>>;
  /** The name of the user of an address. */
  usernameOf(address: string): string;
  /** Takes a line about each page that came more often than its log explains. */
  say(line: string): void;
}

/** The interruptions of the pages that came more than once, as the logs of their alerts have them. */
export class Interruptions {
  /** By {@link keyOf}, of the logs that were read. */
  readonly counts = new Map<string, number>();

  /**
   * Reads the logs of the alerts of which a page came more often than is explained yet. Resolves with whether all repeats are explained. A
   * log that was not answered 200 is read again by the next call.
   */
  async read(arrivals: readonly Arrival[], reader: LogReader): Promise<boolean> {
    let areExplained = true;
    for (const [what, [arrival, ...repeats]] of Map.groupBy(arrivals, keyOf)) {
      if (arrival === undefined || this.#explains(what, repeats.length)) continue;
      const { body, error, status } = await reader.read(arrival.alias);
      if (status === 200) {
        const entries = body['data'] as readonly LogEntry[];
        this.counts.set(what, interruptionsOf(entries, reader.usernameOf(arrival.to)));
      }
      if (this.#explains(what, repeats.length)) continue;
      areExplained = false;
      reader.say(`${what} came ${repeats.length + 1} times; its log: ${error ?? status} ${JSON.stringify(body)}`);
    }
    return areExplained;
  }

  #explains(what: string, repeats: number): boolean {
    return repeats <= (this.counts.get(what) ?? 0);
  }
}
