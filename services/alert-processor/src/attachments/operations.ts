import { ATTACHMENT_LIMITS } from '@tocsin/api';
import { type Clock, InvalidError, NotFoundError, TooLargeError, UnavailableError } from '@tocsin/core';
import type { AlertIdentifier } from '@tocsin/events';
import { type LinkSigner, alertActor, sendingIntegration, type Principal } from '@tocsin/http';
import type { ReadAlerts } from '../alerts/operations.ts';
import {
  type Attachment,
  attachmentEntry,
  LINK_LIFETIME_MS,
  mediaType,
  parseAttachmentId,
  UNATTACHED_RETENTION_MS,
} from './attachment.ts';
import type { AttachmentStore, IncomingFile } from './store.ts';

export interface AttachmentsDependencies {
  readonly store: AttachmentStore;
  readonly alerts: Pick<ReadAlerts, 'get'>;
  readonly links: LinkSigner;
  readonly mailFiles: Pick<MailFileBudget, 'take'>;
  /** Called for each file of a mail that is not kept. */
  readonly onLeftOut: () => void;
  readonly clock: Clock;
}

/** The user who adds or removes a file. */
export interface Doer {
  readonly principal: Principal;
  /** `user` of a key's request (A3). */
  readonly user: string | undefined;
}

/** A file and its bytes. */
export interface OpenFile {
  readonly file: Attachment;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** The files of alerts (A13). A key does not find the files of alerts that it may not see (K4). */
export class Attachments {
  readonly #parts: AttachmentsDependencies;

  constructor(parts: AttachmentsDependencies) {
    this.#parts = parts;
  }

  /**
   * Keeps a file for a day, until it is attached (P13). Resolves with its id once every byte is stored.
   *
   * @throws TooLargeError over 50 MiB. Then, and if the bytes end with an error, nothing is kept.
   */
  async keep({ type, bytes, ...file }: IncomingFile): Promise<number> {
    const { store, clock } = this.#parts;
    const until = new Date(clock.now().getTime() + UNATTACHED_RETENTION_MS);
    return store.keep({ ...file, type: mediaType(type), bytes: bounded(bytes) }, until);
  }

  /** As {@link keep}, for a file of `length` bytes of a mail; undefined if the files of mails have reached their limit. */
  async keepOfMail(
    file: IncomingFile & { readonly integrationId: string },
    length: number,
  ): Promise<number | undefined> {
    if (await this.#parts.mailFiles.take(file.integrationId, length)) return this.keep(file);
    this.#parts.onLeftOut();
    return undefined;
  }

  /** Deletes a file that no alert has. */
  async discard(id: number): Promise<void> {
    await this.#parts.store.discard(id);
  }

  /** The id of an alert, open or closed. @throws NotFoundError when the key finds none. */
  async alertId(identifier: AlertIdentifier, by: Principal): Promise<string> {
    return (await this.#parts.alerts.get(identifier, by)).id;
  }

  /** Attaches a kept file. @throws NotFoundError when the alert is gone; InvalidError when it has 100 files already. */
  async attach(file: Pick<Attachment, 'id' | 'name'>, alertId: string, doer: Doer): Promise<void> {
    const entry = this.#entry('added', file, alertId, doer);
    const outcome = await this.#parts.store.attach(file.id, entry, ATTACHMENT_LIMITS.files);
    if (outcome === 'no-alert') throw new NotFoundError('Alert does not exist');
    if (outcome === 'full')
      throw InvalidError.about(
        'file',
        `The alert has ${String(ATTACHMENT_LIMITS.files)} attachments, it can not have more.`,
      );
    if (outcome === 'gone') throw new UnavailableError('The file was kept for too long. Please try again.');
  }

  /** The files of an alert, by id. @throws NotFoundError as {@link alertId}. */
  async list(identifier: AlertIdentifier, by: Principal): Promise<readonly Attachment[]> {
    return this.#parts.store.listOf(await this.alertId(identifier, by));
  }

  /** A file of an alert, and a token that opens it for 15 minutes. @throws NotFoundError when the key finds none. */
  async get(
    identifier: AlertIdentifier,
    attachmentId: string,
    by: Principal,
  ): Promise<{ readonly file: Attachment; readonly token: string }> {
    const file = await this.#fileOf(await this.alertId(identifier, by), attachmentId);
    const { links, clock } = this.#parts;
    const expiresAt = new Date(clock.now().getTime() + LINK_LIFETIME_MS);
    return { file, token: links.sign(String(file.id), expiresAt) };
  }

  /** Removes a file from an alert. @throws NotFoundError when the key finds none. */
  async remove(identifier: AlertIdentifier, attachmentId: string, doer: Doer): Promise<void> {
    const alertId = await this.alertId(identifier, doer.principal);
    const file = await this.#fileOf(alertId, attachmentId);
    if (!(await this.#parts.store.detach(file.id, this.#entry('removed', file, alertId, doer)))) throw missing();
  }

  /**
   * Opens the file of a token, without a key. @throws NotFoundError when the token is invalid or expired, or the file
   * gone.
   */
  async open(token: string): Promise<OpenFile> {
    const { links, clock, store } = this.#parts;
    const link = links.read(token, clock.now());
    if (link.kind === 'forged') throw new NotFoundError('The link is not valid.');
    if (link.kind === 'expired') throw new NotFoundError('The link has expired. Please ask for a new one.');
    const file = await store.find(Number(link.subject));
    if (file === undefined) throw missing();
    return { file, bytes: store.read(file) };
  }

  async #fileOf(alertId: string, attachmentId: string): Promise<Attachment> {
    const id = parseAttachmentId(attachmentId);
    const file = id === undefined ? undefined : await this.#parts.store.find(id);
    if (file?.alertId !== alertId) throw missing();
    return file;
  }

  #entry(what: 'added' | 'removed', file: Pick<Attachment, 'id' | 'name'>, alertId: string, { principal, user }: Doer) {
    const { name, type } = sendingIntegration(principal);
    return attachmentEntry({
      what,
      file,
      alertId,
      by: alertActor(user, principal),
      integration: { name, type },
      at: this.#parts.clock.now(),
    });
  }
}

const missing = (): NotFoundError => new NotFoundError('Attachment does not exist');

async function* bounded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > ATTACHMENT_LIMITS.bytes) throw new TooLargeError('The file is larger than 50 MB.');
    yield chunk;
  }
}

/** Each file counts as at least this many bytes, which also bounds the number of small files. */
export const MIN_FILE_BYTES = 65_536;

/** How long this process caches the sums of the stored files, in milliseconds. It counts files of other replicas after that. */
const CACHE_MS = 30_000;

export interface MailFileBudgetOptions {
  readonly store: Pick<AttachmentStore, 'mailBytes'>;
  readonly inAll: number;
  readonly perIntegration: number;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs?: () => number;
}

/**
 * Bounds the stored bytes of files from mails, for each integration and in all: anyone can send mails, and must not fill the disk of
 * the database (P13).
 */
export class MailFileBudget {
  readonly #options: MailFileBudgetOptions;
  readonly #nowMs: () => number;
  #known: { readonly at: number; readonly bytes: Promise<Map<string, number>> } | undefined;

  constructor(options: MailFileBudgetOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  /** Reserves space for a file of `length` bytes of a mail to the integration. Returns false when there is none. */
  async take(integrationId: string, length: number): Promise<boolean> {
    const kept = await this.#kept();
    const bytes = Math.max(length, MIN_FILE_BYTES);
    const ofIntegration = (kept.get(integrationId) ?? 0) + bytes;
    const inAll = [...kept.values()].reduce((sum, each) => sum + each, bytes);
    if (ofIntegration > this.#options.perIntegration || inAll > this.#options.inAll) return false;
    kept.set(integrationId, ofIntegration);
    return true;
  }

  #kept(): Promise<Map<string, number>> {
    const now = this.#nowMs();
    if (this.#known === undefined || now - this.#known.at > CACHE_MS) {
      const bytes = this.#options.store.mailBytes(MIN_FILE_BYTES).then((read) => new Map(read));
      const known = { at: now, bytes };
      this.#known = known;
      bytes.catch(() => {
        if (this.#known === known) this.#known = undefined;
      });
    }
    return this.#known.bytes;
  }
}
