import { AlertEvents, WebhookCommands, type AlertCommand } from '@tocsin/events';
import {
  collectionOf,
  forTopic,
  type Connection,
  type DueWork,
  type Outbox,
  whenCommitted,
  type Session,
} from '@tocsin/mongo';
import type { Alert } from './alert.ts';
import { aliasOf } from './create.ts';
import { processedMail, UNIDENTIFIED_MAIL_MS, type ProcessedMail } from '../requests/mail-repeats.ts';
import { statusDocument, storedStatus, type RequestStatus, type StatusDocument } from '../requests/request-status.ts';
import { nextDueAt } from './due.ts';
import type { Changes, StoredState, Written } from './apply-commands.ts';
import { ALERT_FIELDS, alertDocument, alertOf, alertUpdate, dueUpdate, type AlertDocument } from './document.ts';
import { ALERTS, LOGS, NOTES, STATUSES } from '../database.ts';
import { filesNamedBy, linkFiles, releaseFiles } from './file-links-store.ts';
import { markFilesForDeletion, deleteRelated, eraseHistory, haveLongHistory, markRemoved } from './related-store.ts';
import { logDocuments, noteDocument } from '../alert-log/document.ts';

export interface AlertStoreParts {
  readonly connection: Connection;
  /** Publishes events and webhook commands. */
  readonly outbox: Pick<Outbox, 'addAll'>;
  readonly dueWork: Pick<DueWork<AlertDocument>, 'wakeAfterCommit'>;
}

/** More documents than a batch can read, so that the first answer of the database has them all. */
const ONE_ANSWER = 2_000;

/** One bulk write per collection, however many commands there are. */
export class AlertStore {
  readonly #parts: AlertStoreParts;

  constructor(parts: AlertStoreParts) {
    this.#parts = parts;
  }

  /** The state on which the commands are decided. */
  async read(commands: readonly AlertCommand[], session: Session): Promise<StoredState> {
    const { connection } = this.#parts;
    const { processed, deadLetters } = await this.#statuses(session, commands);
    const mails = await this.#mails(session, commands);
    const alerts = await this.#alerts(session, commands, mails);
    const files = await filesNamedBy(commands, alerts, { connection, session });
    return { processed, deadLetters, mails, alerts, files };
  }

  /** Writes what follows from commands that were decided on the state `stored`. */
  async writeCommands(written: Written, { alerts, deadLetters }: StoredState, session: Session): Promise<void> {
    const { connection } = this.#parts;
    const { deleted } = written;
    const isLong = await haveLongHistory(connection, deleted, session);
    if (deadLetters !== undefined && deadLetters.size > 0) await this.#deleteStatuses(deadLetters, session);
    await this.write(session, written, alerts, isLong);
    // No caller can read the history of a deleted alert. The sweep of removals deletes what a crash leaves.
    if (isLong) whenCommitted(session, () => void eraseHistory(connection, deleted).catch(() => undefined));
  }

  /** Stores the status of a request that fails for ever. The status of a request that has been processed stays. */
  async writeFailed(status: RequestStatus, session: Session): Promise<void> {
    const { _id, ...content } = statusDocument(status);
    const statuses = collectionOf<StatusDocument>(this.#parts.connection, STATUSES);
    const before = await statuses.findOne({ _id }, { session, projection: { isDeadLetter: 1 } });
    if (before === null || before.isDeadLetter === true)
      await statuses.replaceOne({ _id }, content, { session, upsert: true });
  }

  /** The requests that have been processed before, and those that were dead letters: these are processed now. */
  async #statuses(session: Session, commands: readonly AlertCommand[]) {
    const requestIds = commands.map(({ requestId }) => requestId);
    const found = await collectionOf<StatusDocument>(this.#parts.connection, STATUSES)
      .find({ _id: { $in: requestIds } }, { session, projection: { isDeadLetter: 1 }, batchSize: ONE_ANSWER })
      .toArray();
    const idsOf = (wanted: boolean) =>
      new Set(found.filter(({ isDeadLetter = false }) => isDeadLetter === wanted).map(({ _id }) => _id));
    return { processed: idsOf(false), deadLetters: idsOf(true) };
  }

  /** The mails that were processed before, of those that made `commands`. Few batches have mails. */
  async #mails(session: Session, commands: readonly AlertCommand[]): Promise<readonly ProcessedMail[]> {
    const selectors = mailSelectors(commands);
    if (selectors.length === 0) return [];
    const found = await collectionOf<StatusDocument>(this.#parts.connection, STATUSES)
      .find({ $or: selectors }, { session, batchSize: ONE_ANSWER })
      .toArray();
    return found.map((document) => processedMail(storedStatus(document))).filter((mail) => mail !== undefined);
  }

  async #alerts(
    session: Session,
    commands: readonly AlertCommand[],
    mails: readonly ProcessedMail[],
  ): Promise<readonly Alert[]> {
    const alerts = await collectionOf<AlertDocument>(this.#parts.connection, ALERTS)
      .find({ $or: selectors(commands, mails) }, { session, projection: ALERT_FIELDS, batchSize: ONE_ANSWER })
      .toArray();
    return alerts.map(alertOf);
  }

  /** Deletes the failed statuses of redriven commands, which get new ones. */
  async #deleteStatuses(requestIds: ReadonlySet<string>, session: Session): Promise<void> {
    const statuses = collectionOf<StatusDocument>(this.#parts.connection, STATUSES);
    await statuses.deleteMany({ _id: { $in: [...requestIds] } }, { session });
  }

  /**
   * Writes what follows from a change of the stored alerts `before`, in the transaction `session`. With `keepsHistory` the logs and
   * notes of deleted alerts stay: there are too many for one transaction.
   */
  async write(session: Session, changes: Written, before: readonly Alert[], keepsHistory = false): Promise<void> {
    const { connection, dueWork, outbox } = this.#parts;
    const { deleted, logs, notes, statuses, events, webhooks = [] } = changes;
    const alerts = alertWrites(changes, new Map(before.map((alert) => [alert.id, alert])));
    if (alerts.length > 0) await collectionOf<AlertDocument>(connection, ALERTS).bulkWrite(alerts, { session });
    await (keepsHistory ? markFilesForDeletion : deleteRelated)(connection, deleted, session);
    await markRemoved(connection, deleted, { removedAt: changes.processedAt, session });
    await linkFiles(changes.links, { connection, session });
    await releaseFiles(changes.released, { connection, session });
    await this.#insert(LOGS, logDocuments(logs), session);
    await this.#insert(NOTES, notes.map(noteDocument), session);
    await this.#insert(STATUSES, statuses.map(statusDocument), session);
    dueWork.wakeAfterCommit(session, [...changes.inserted, ...changes.updated].map(nextDueAt));
    await outbox.addAll(session, [forTopic(AlertEvents, events), forTopic(WebhookCommands, webhooks)]);
  }

  /** Writes only the due times of alerts, in the transaction `session`. */
  async writeDue(session: Session, alerts: readonly Alert[]): Promise<void> {
    if (alerts.length === 0) return;
    const updates = alerts.map((alert) => ({ updateOne: { filter: { _id: alert.id }, update: dueUpdate(alert) } }));
    await collectionOf<AlertDocument>(this.#parts.connection, ALERTS).bulkWrite(updates, { session });
    this.#parts.dueWork.wakeAfterCommit(session, alerts.map(nextDueAt));
  }

  async #insert(collection: string, documents: readonly { readonly _id: string }[], session: Session): Promise<void> {
    if (documents.length === 0) return;
    await collectionOf<{ _id: string }>(this.#parts.connection, collection).insertMany(documents, { session });
  }
}

/** Deletes and updates come first: they free aliases for inserts of the same batch. */
function alertWrites({ inserted, updated, deleted }: Changes, before: ReadonlyMap<string, Alert>) {
  const removals = deleted.map((_id) => ({ deleteOne: { filter: { _id } } }));
  const updates = updated.map((alert) => ({
    updateOne: { filter: { _id: alert.id }, update: alertUpdate(before.get(alert.id), alert) },
  }));
  return [...removals, ...updates, ...inserted.map((alert) => ({ insertOne: { document: alertDocument(alert) } }))];
}

/** Filters for the requests that processed the mails of `commands`. Mails without a Message-ID are known for minutes only. */
function mailSelectors(commands: readonly AlertCommand[]): Record<string, unknown>[] {
  const mails = commands.flatMap(({ mail, acceptedAt }) =>
    mail === undefined ? [] : [{ ...mail, at: Date.parse(acceptedAt) }],
  );
  const unidentified = mails.filter(({ hasMessageId }) => !hasMessageId);
  const keysOf = (some: readonly { readonly key: string }[]) => ({ $in: [...new Set(some.map(({ key }) => key))] });
  const since = new Date(Math.min(...unidentified.map(({ at }) => at)) - UNIDENTIFIED_MAIL_MS);
  const identified = mails.filter(({ hasMessageId }) => hasMessageId);
  return [
    ...(identified.length > 0 ? [{ 'mail.key': keysOf(identified) }] : []),
    ...(unidentified.length > 0 ? [{ 'mail.key': keysOf(unidentified), 'mail.acceptedAt': { $gte: since } }] : []),
  ];
}

/** Filters for the alerts that `commands` and `mails` name. Each kind of identifier uses its own index. */
function selectors(commands: readonly AlertCommand[], mails: readonly ProcessedMail[]): Record<string, unknown>[] {
  const aliases = new Set<string>();
  const ids = new Set(mails.map(({ alertId }) => alertId));
  const tinyIds = new Set<number>();
  for (const command of commands) {
    const { type, value } = command.identifier;
    if (command.kind === 'create') aliases.add(aliasOf(command));
    else if (type === 'alias') aliases.add(value);
    else if (type === 'id') ids.add(value);
    else tinyIds.add(Number(value));
  }
  return [
    ...(aliases.size > 0 ? [{ alias: { $in: [...aliases] }, status: 'open' }] : []),
    ...(ids.size > 0 ? [{ _id: { $in: [...ids] } }] : []),
    ...(tinyIds.size > 0 ? [{ tinyId: { $in: [...tinyIds] } }] : []),
  ];
}
