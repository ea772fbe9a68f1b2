import type { AlertIdentifier } from '@tocsin/events';
import { longWork, NotFoundError, UnavailableError } from '@tocsin/core';
import { boundTeam, readsAccount, type Principal } from '@tocsin/http';
import type { Alert } from '../alerts/alert.ts';
import { explain, stepOf, usersIn, type ExplainedUser, type Explanation } from './explanation.ts';
import type { HistoryListing, LogEntry, Position } from '../alert-log/entry.ts';
import { readableLog, type LogReader } from '../alert-log/readable-log.ts';
import type { ResponderDirectory } from '../responders/client.ts';
import { logReader, type ReadAlerts } from '../alerts/operations.ts';

export interface ExplainedAlert extends Explanation {
  readonly alert: Pick<Alert, 'id' | 'tinyId' | 'message'>;
  /** Whether the log has more entries than were read. */
  readonly truncated: boolean;
}

interface ReadLog {
  readonly entries: readonly LogEntry[];
  /** Whether the log has more entries than were read. */
  readonly truncated: boolean;
}

/** Reads pages of the logs of alerts. */
interface LogEntries {
  logs(listing: HistoryListing): Promise<readonly LogEntry[]>;
}

export interface ExplainAlertsDependencies {
  readonly alerts: Pick<ReadAlerts, 'get'>;
  readonly reader: LogEntries;
  readonly directory: ResponderDirectory;
}

/** The most log entries that are explained, oldest first, and about the most bytes. */
const MAX_ENTRIES = 2_000;
const MAX_BYTES = 2_000_000;
const AT_ONCE = 100;

/** Says which users were notified of an alert, which were not, and why, from its log alone (promise 2). */
export class ExplainAlerts {
  readonly #alerts: Pick<ReadAlerts, 'get'>;
  readonly #reader: LogEntries;
  readonly #directory: ResponderDirectory;

  constructor({ alerts, directory, reader }: ExplainAlertsDependencies) {
    this.#alerts = alerts;
    this.#reader = reader;
    this.#directory = directory;
  }

  /**
   * Explains the alert for all users whom it reached, or for `user` alone, named by id or user name. A key that may not read users
   * learns nothing of a user whom no record names, not even whether they exist (K3, K8).
   *
   * @throws NotFoundError when the key finds no such alert, or there is no such user and no record of one; UnavailableError when the
   *   owner of users cannot be asked.
   */
  async explain(identifier: AlertIdentifier, user: string | undefined, by: Principal): Promise<ExplainedAlert> {
    const { id, message, tinyId } = await this.#alerts.get(identifier, by);
    const { entries, truncated } = await this.#entriesOf(id, logReader(this.#directory, boundTeam(by)));
    const about = user === undefined ? undefined : await this.#userOf(user, entries, readsAccount(by));
    return { alert: { id, message, tinyId }, ...explain(entries, about, truncated), truncated };
  }

  /** The log entries that `by` may read, page by page: between pages the event loop runs. */
  async #entriesOf(alertId: string, by: LogReader): Promise<ReadLog> {
    const entries: LogEntry[] = [];
    let after: Position | undefined;
    for (let [read, bytes] = [0, 0]; ;) {
      const page = await this.#reader.logs({ alertId, order: 'asc', after, limit: AT_ONCE });
      entries.push(...readableLog(page, by));
      if (page.length < AT_ONCE) return { entries, truncated: false };
      after = page.at(-1)?.position;
      read += page.length;
      for (const entry of page) {
        if (longWork.isPauseDue()) await longWork.pause();
        bytes += JSON.stringify(entry).length;
      }
      if (read >= MAX_ENTRIES || bytes > MAX_BYTES) return { entries, truncated: true };
    }
  }

  /** Searches the records first: they also name users who are deleted by now. */
  async #userOf(named: string, entries: readonly LogEntry[], readsUsers: boolean): Promise<ExplainedUser> {
    const name = named.toLowerCase();
    const recorded = usersIn(entries.map(stepOf)).find(({ id, username }) => id === named || username === name);
    if (recorded !== undefined) return recorded;
    if (!readsUsers) return { id: named, username: named };
    const references = [{ type: 'user', id: named } as const, { type: 'user', name } as const];
    const found = await Promise.all(references.map((reference) => this.#directory.resolve(reference)));
    for (const result of found) if (result.kind === 'known') return { id: result.id, username: result.name };
    if (found.some(({ kind }) => kind === 'unreachable')) throw new UnavailableError('The user can not be looked up.');
    throw new NotFoundError('User does not exist');
  }
}
