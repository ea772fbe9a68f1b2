import type { Cancel, Page, PageMessage } from '@tocsin/events';
import type { Change } from '../mongo/store.ts';
import type { Document } from '../mongo/values.ts';
import type { LogEntry } from '../scheduler/scheduler.ts';
import type { HandOver } from './provider.ts';

/** An attempt to send a delivery whose begin was committed. */
interface Begin {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly atMs: number;
}

type PageOfRow = Pick<Page, 'alertId' | 'alertVersion' | 'cancelOn' | 'userId'>;

const FINAL = ['sent', 'failed', 'dropped', 'held-back'];
/** How far the clock of a process may be from that of MongoDB: half of the round trip of a reading, with two slow ways. */
const MAX_CLOCK_ERROR_MS = 1_100;

export interface AttemptRecordOptions {
  /** The collection of the deliveries. */
  readonly deliveries: string;
  /** The collection of the queues of recipients. */
  readonly queues: string;
  /** The collection of the checkpoints, `<topic>/<partition>`, and the messages of the topic of pages in a part of a partition. */
  readonly checkpoints: string;
  readonly messages: (checkpoint: string, from: number, to: number) => readonly PageMessage[];
  readonly clock: { readonly elapsedMs: number; readonly nowMs: number };
}

/** Follows the rows of deliveries from commit to commit, and compares their attempts with what a provider took. */
export class AttemptRecord {
  readonly #options: AttemptRecordOptions;
  readonly #begins: Begin[] = [];
  /** The cancels whose records were processed. */
  readonly #cancels: Cancel[] = [];
  readonly #violations: string[] = [];

  constructor(options: AttemptRecordOptions) {
    this.#options = options;
  }

  /** To be called with the changes of each commit. */
  record(changes: readonly Change[]): void {
    const { checkpoints, deliveries, queues } = this.#options;
    const named = (name: string) => changes.filter(({ collection }) => collection.name === name);
    for (const { after, before } of named(checkpoints)) if (after !== undefined) this.#recordCancels(before, after);
    for (const { after, before } of named(deliveries)) if (after !== undefined) this.#recordRow(before, after);
    for (const { after, before } of named(queues))
      if (after !== undefined && before !== undefined) this.#recordQueue(before, after);
  }

  /**
   * What was begun or changed against the rules, and what the provider took twice. A message may be sent again where the process that
   * sent it was killed or frozen before the next attempt began, or the provider did not answer.
   */
  violations(handOvers: readonly HandOver[], log: readonly LogEntry[]): readonly string[] {
    const found = [...this.#violations];
    for (const [id, taken] of Map.groupBy(handOvers, ({ deliveryId }) => deliveryId)) {
      const attempts = taken.map(({ attempt }) => attempt);
      if (new Set(attempts).size < attempts.length) found.push(`${id}: an attempt was handed over twice.`);
      for (const each of taken) {
        const begin = this.#beginOf(id, each.attempt);
        if (begin === undefined) found.push(`${id}: attempt ${each.attempt} was handed over and never begun.`);
        else if (Math.max(...attempts) > each.attempt && !this.#mayRepeat(each, begin, log))
          found.push(`${id}: it was sent again after attempt ${each.attempt}, whose result was known.`);
      }
    }
    return found;
  }

  #recordCancels(before: Document | undefined, after: Document): void {
    const messages = this.#options.messages(
      String(after['_id']),
      Number(before?.['offset'] ?? 0),
      Number(after['offset']),
    );
    this.#cancels.push(...messages.filter((message) => message.kind === 'cancel'));
  }

  #recordRow(before: Document = { attempts: 0 }, after: Document): void {
    const id = String(after['_id']);
    const [earlier, attempt] = [Number(before['attempts'] ?? 0), Number(after['attempts'] ?? 0)];
    if (after['state'] === 'sending' && attempt > earlier) this.#recordBegin(id, attempt, after);
    if (attempt < earlier)
      this.#violations.push(`${id}: the result of attempt ${attempt} came after a later one had begun.`);
    const state = String(before['state']);
    if (FINAL.includes(state) && state !== after['state'])
      this.#violations.push(`${id}: it was ${state}, and became ${String(after['state'])}.`);
  }

  /** While a queue has a lease, no other claim of it begins a message. */
  #recordQueue(before: Document, after: Document): void {
    const [held, next] = [before['token'] ?? null, after['token'] ?? null];
    const isLeased = Number(before['leaseUntil']) > this.#options.clock.nowMs;
    if (isLeased && held !== null && next !== null && held !== next)
      this.#violations.push(`${String(after['_id'])}: the queue was taken during the lease of another claim.`);
  }

  #recordBegin(id: string, attempt: number, row: Document): void {
    const { elapsedMs, nowMs } = this.#options.clock;
    this.#begins.push({ deliveryId: id, attempt, atMs: elapsedMs });
    if (this.#isCancelled(row['page'] as PageOfRow)) this.#violations.push(`${id}: it was begun after its cancel.`);
    if (Number(row['dueAt']) > nowMs + MAX_CLOCK_ERROR_MS)
      this.#violations.push(`${id}: it was begun before it was due.`);
  }

  #isCancelled({ alertId, alertVersion, cancelOn, userId }: PageOfRow): boolean {
    return this.#cancels.some(
      (cancel) =>
        cancel.alertId === alertId &&
        cancel.userId === userId &&
        cancel.alertVersion > alertVersion &&
        (cancel.on === 'close' || cancelOn === 'ack'),
    );
  }

  #beginOf(deliveryId: string, attempt: number): Begin | undefined {
    return this.#begins.find((begin) => begin.deliveryId === deliveryId && begin.attempt === attempt);
  }

  /** Whether the result may have been unknown when the next attempt began. */
  #mayRepeat(handOver: HandOver, { atMs, attempt, deliveryId }: Begin, log: readonly LogEntry[]): boolean {
    const until = this.#beginOf(deliveryId, attempt + 1)?.atMs ?? Infinity;
    const ofProcess = log.filter((entry) => entry.process === handOver.process && entry.atMs <= until);
    const before = ofProcess.findLast((entry) => entry.atMs < atMs && ['is frozen', 'goes on'].includes(entry.text));
    const stops = ofProcess.filter((entry) => entry.atMs >= atMs && ['is killed', 'is frozen'].includes(entry.text));
    return handOver.isUnanswered || before?.text === 'is frozen' || stops.length > 0;
  }
}
