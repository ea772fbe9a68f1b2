import { matches } from '@tocsin/alert-query';
import { failureOf } from '@tocsin/persistence';
import type {
  AlertCommand,
  AlertEvent,
  AlertIdentifier,
  ConsumedBatch,
  Settlement,
  WebhookCommand,
} from '@tocsin/contracts';
import { closedAt, meantBy, teamsSeeing, type Alert } from '../domain/alert.ts';
import { listed, type HistoryListing, type LogEntry, type Note } from '../domain/history.ts';
import { settledMail } from '../domain/mail-repeats.ts';
import { Recipients, traceOf, type Recipient } from '../domain/recipients.ts';
import type { RequestStatus } from '../domain/request-status.ts';
import type { Kept } from '../domain/retention.ts';
import { nextDueAt } from '../domain/due.ts';
import type { Changes, StoredState } from '../domain/settle.ts';
import { lateOf, type AlertLedger, type BuriedCommand, type Written } from '../ports/alert-ledger.ts';
import type { AlertListing, AlertReader, AlertSelection } from '../ports/alert-reader.ts';
import type { DecisionLog } from '../ports/decision-log.ts';
import type { RequestStatuses } from '../ports/request-statuses.ts';
import type { RetainedRows } from '../ports/retained-rows.ts';
import type { TinyIds } from '../ports/tiny-ids.ts';
import { MemoryAttachmentStore } from './memory-attachment-store.ts';
import { MemoryPositions } from './memory-positions.ts';
import { sortValue } from '../storage/sort-value.ts';

/** The service's whole storage in memory, for component tests. */
export class MemoryAlertStore implements AlertReader {
  readonly #alerts = new Map<string, Alert>();
  readonly #logs = new Map<string, LogEntry>();
  readonly #notes = new Map<string, Note>();
  readonly #removed = new Map<string, Date>();
  readonly #statuses = new Map<string, RequestStatus>();
  readonly #positions = new MemoryPositions();
  #lastTinyId = 0;
  /** The events that were written for publishing, in order. */
  readonly events: AlertEvent[] = [];
  /** The webhook commands that were written, in order. */
  readonly webhooks: WebhookCommand[] = [];
  readonly attachments = new MemoryAttachmentStore({
    note: (entry) => this.#note(entry),
  });

  readonly ledger: AlertLedger = {
    settle: (batches, decide) =>
      Promise.resolve()
        .then(() => this.#settle(batches, decide))
        .catch(failureOf),
    bury: (record, status) => Promise.resolve(this.#bury(record, status)),
  };
  readonly statuses: RequestStatuses = {
    find: (ids) => Promise.resolve([...this.#statuses.values()].filter(({ requestId }) => ids.includes(requestId))),
  };
  readonly decisionLog: DecisionLog = {
    append: (entries) => {
      for (const entry of entries)
        if (!this.#logs.has(entry.entryId) && !this.#removed.has(entry.alertId)) this.#logs.set(entry.entryId, entry);
      return Promise.resolve();
    },
  };
  readonly retained: RetainedRows = {
    oldest: (kind) => Promise.resolve(this.#ages(kind)[0]?.[1]),
    remove: (kind, until, now) => {
      const [due] = this.#ages(kind).filter(([, at]) => at <= until);
      if (due === undefined) return Promise.resolve(0);
      if (kind === 'alerts') this.#erase(due[0], now);
      else (kind === 'statuses' ? this.#statuses : this.#removed).delete(due[0]);
      return Promise.resolve(1);
    },
  };
  readonly tinyIds: TinyIds = {
    reserve: (count) => {
      this.#lastTinyId += count;
      return Promise.resolve(this.#lastTinyId - count + 1);
    },
  };

  /** The alerts that are due up to `until`. */
  due(until: Date): readonly Alert[] {
    return [...this.#alerts.values()].filter((alert) => (nextDueAt(alert) ?? NEVER) <= until);
  }

  /** Writes what follows from a change of alerts. */
  write(written: Written): void {
    this.#write(written);
    this.webhooks.push(...(written.webhooks ?? []));
  }

  find({ type, value }: AlertIdentifier, teamId?: string): Promise<Alert | undefined> {
    if (type === 'id') return Promise.resolve(this.#alerts.get(value));
    const alerts = [...this.#alerts.values()];
    if (type === 'tiny') return Promise.resolve(alerts.find(({ tinyId }) => String(tinyId) === value));
    const open = alerts.filter(({ alias, status }) => alias === value && status === 'open');
    return Promise.resolve(meantBy(teamId, open));
  }

  list({ sort, order, offset, limit, ...selection }: AlertListing): Promise<readonly Alert[]> {
    const direction = order === 'asc' ? 1 : -1;
    const sorted = this.#selected(selection).sort(
      (a, b) =>
        direction *
        (compare(sortValue(a, sort), sortValue(b, sort)) ||
          a.createdAt.getTime() - b.createdAt.getTime() ||
          a.tinyId - b.tinyId),
    );
    return Promise.resolve(sorted.slice(offset, offset + limit));
  }

  count(selection: AlertSelection, most: number): Promise<number> {
    return Promise.resolve(Math.min(most, this.#selected(selection).length));
  }

  estimate(): Promise<number> {
    return Promise.resolve(this.#alerts.size);
  }

  logs(listing: HistoryListing): Promise<readonly LogEntry[]> {
    return Promise.resolve(listed(ofAlert(this.#logs, listing.alertId), listing));
  }

  notes(listing: HistoryListing): Promise<readonly Note[]> {
    return Promise.resolve(listed(ofAlert(this.#notes, listing.alertId), listing));
  }

  recipients(alertId: string, most: number): Promise<readonly Recipient[]> {
    const recipients = new Recipients();
    for (const entry of this.#logs.values()) {
      const trace = entry.alertId === alertId ? traceOf(entry) : undefined;
      if (trace !== undefined) recipients.add(trace);
    }
    return Promise.resolve(recipients.rows(most));
  }

  /** The ids of one kind with the instants from which their retention counts, oldest first. */
  #ages(kind: Kept): (readonly [string, Date])[] {
    const ages = {
      alerts: () => [...this.#alerts].map(([id, alert]) => [id, closedAt(alert)] as const),
      statuses: () => [...this.#statuses].map(([id, { processedAt }]) => [id, processedAt] as const),
      removals: () => [...this.#removed],
    }[kind]();
    return ages
      .flatMap(([id, at]) => (at === undefined ? [] : [[id, at] as const]))
      .sort(([, a], [, b]) => a.getTime() - b.getTime());
  }

  #selected({ teamId, search }: AlertSelection): Alert[] {
    return [...this.#alerts.values()]
      .filter((alert) => teamId === undefined || teamsSeeing(alert).includes(teamId))
      .filter((alert) => search === undefined || matches(search.query, alert, search.idsOf));
  }

  async #settle(
    batches: readonly ConsumedBatch<AlertCommand>[],
    decide: (commands: readonly AlertCommand[], stored: StoredState) => Written | Promise<Written>,
  ): Promise<Settlement> {
    const [only, ...others] = batches;
    if (others.length > 0 && !batches.every((batch) => this.#positions.isAtItsPlace(batch)))
      return { outcome: 'refused', reason: 'Apart.' };
    const answer = only && this.#positions.answerOutOfPlace(only);
    if (answer !== undefined) return answer;
    const idsOf = (wanted: boolean) =>
      [...this.#statuses.values()].filter(({ buried = false }) => buried === wanted).map(({ requestId }) => requestId);
    const records = batches.flatMap((batch) => this.#positions.due(batch));
    const commands = records.map(({ value }) => value);
    const stored = {
      settled: new Set(idsOf(false)),
      late: lateOf(records),
      buried: new Set(idsOf(true)),
      mails: [...this.#statuses.values()].map(settledMail).filter((mail) => mail !== undefined),
      alerts: [...this.#alerts.values()],
      files: this.attachments.found(),
    };
    this.write(await decide(commands, stored));
    for (const batch of batches) this.#positions.settle(batch, batch.records.at(-1)?.offset ?? 0);
    return { outcome: 'done' };
  }

  #write(changes: Changes): void {
    const { inserted, updated, deleted, logs, notes, statuses, links, released, events, settledAt } = changes;
    for (const id of deleted) this.#erase(id, settledAt);
    for (const alert of [...updated, ...inserted]) this.#alerts.set(alert.id, alert);
    for (const entry of logs) this.#logs.set(entry.entryId, entry);
    for (const note of notes) this.#notes.set(note.noteId, note);
    for (const status of statuses) this.#statuses.set(status.requestId, status);
    for (const link of links) this.attachments.link(link);
    for (const fileId of released) this.attachments.release(fileId);
    this.events.push(...events);
  }

  #note(entry: LogEntry): boolean {
    const alert = this.#alerts.get(entry.alertId);
    if (alert === undefined) return false;
    const updatedAt = entry.createdAt > alert.updatedAt ? entry.createdAt : alert.updatedAt;
    this.#alerts.set(alert.id, { ...alert, updatedAt });
    this.#logs.set(entry.entryId, entry);
    return true;
  }

  #erase(id: string, at: Date): void {
    this.#removed.set(id, at);
    this.#alerts.delete(id);
    this.attachments.erase(id);
    for (const [entryId, { alertId }] of this.#logs) if (alertId === id) this.#logs.delete(entryId);
    for (const [noteId, { alertId }] of this.#notes) if (alertId === id) this.#notes.delete(noteId);
  }

  #bury(record: BuriedCommand, status: RequestStatus | undefined): Settlement {
    if (!this.#positions.settle(record, record.offset) || status === undefined) return { outcome: 'done' };
    const before = this.#statuses.get(status.requestId);
    if (before === undefined || before.buried === true) this.#statuses.set(status.requestId, status);
    return { outcome: 'done' };
  }
}

const NEVER = new Date('9999-01-01T00:00:00.000Z');

const ofAlert = <T extends { readonly alertId: string }>(rows: ReadonlyMap<string, T>, alertId: string): readonly T[] =>
  [...rows.values()].filter((row) => row.alertId === alertId);

type SortValue = ReturnType<typeof sortValue>;

/** Compares like MongoDB: absent values come first. */
function compare(a: SortValue, b: SortValue): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  return a < b ? -1 : 1;
}
