import type { AlertCommand } from '@tocsin/events';

/** Commands after which there is less to do. */
const ENDING_WORK: ReadonlySet<AlertCommand['kind']> = new Set(['acknowledge', 'close', 'snooze', 'delete']);

/**
 * Whether a command may be delayed where its integration sends more than its fair rate. Commands that no API key and no mail sent are
 * never delayed for that, nor those that end work.
 */
export function mayBeDelayed(command: AlertCommand): boolean {
  if (command.integration.type === 'System' || ENDING_WORK.has(command.kind)) return false;
  return command.kind !== 'create' || command.ofHeartbeat !== true;
}

/** The commands of an integration are counted in spans of so many seconds. */
const SPAN_SECONDS = 2;
/** An integration is alone if no other one sent a command for so long. */
const ALONE_AFTER_MS = 10_000;
/** The most counts. Beyond it the oldest is forgotten. */
const MAX_COUNTS = 100_000;

/**
 * Counts the commands of each integration by the instants at which Kafka got them. A token bucket would count them by the time at
 * which they are read: after an outage, the commands of a minute are read within a second, in any order of their partitions.
 *
 * Creates of priority P1 have a count of their own, so that a flood of others delays none of them.
 */
export class FairRates {
  readonly #perSpan: number;
  readonly #counts = new Map<string, number>();
  /** When the two integrations that sent a command last did so. */
  readonly #lastAtMs = new Map<string, number>();

  /** `perSecond` is the fair rate of each integration. */
  constructor(perSecond: number) {
    this.#perSpan = SPAN_SECONDS * perSecond;
  }

  /** Counts a command that Kafka got at `appendedAtMs`. Returns whether it is within the fair rate. */
  count(command: AlertCommand, appendedAtMs: number): boolean {
    this.#noteSender(command, appendedAtMs);
    const isUrgent = command.kind === 'create' && command.alert.priority === 'P1';
    const name = [command.integration.id, isUrgent, Math.floor(appendedAtMs / (1_000 * SPAN_SECONDS))].join(' ');
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    if (this.#counts.size > MAX_COUNTS) this.#forgetOldest();
    return count <= this.#perSpan;
  }

  /** Whether the counted commands of the ten seconds before `atMs` are of one integration. Those of other services do not count. */
  isAlone(atMs: number): boolean {
    return this.#lastAtMs.size < 2 || Math.min(...this.#lastAtMs.values()) < atMs - ALONE_AFTER_MS;
  }

  #noteSender({ integration: { id, type } }: AlertCommand, atMs: number): void {
    if (type === 'System') return;
    this.#lastAtMs.set(id, Math.max(atMs, this.#lastAtMs.get(id) ?? atMs));
    if (this.#lastAtMs.size <= 2) return;
    const [oldest] = [...this.#lastAtMs].sort(([, one], [, other]) => one - other);
    if (oldest !== undefined) this.#lastAtMs.delete(oldest[0]);
  }

  #forgetOldest(): void {
    for (const oldest of this.#counts.keys()) {
      this.#counts.delete(oldest);
      return;
    }
  }
}
