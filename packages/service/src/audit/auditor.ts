import { createHash } from 'node:crypto';
import type { Clock } from '@tocsin/core';
import type { AlertCommand, ResponderReference, ServiceName } from '@tocsin/events';
import type { AuditFinding, StuckWork } from '@tocsin/mongo';

/** Work that is overdue for so long is stuck. After a redrive it has so long again before an alert is raised. */
export const AUDIT_SLACK_MS = 30_000;

/** Most findings of one run. Later runs find the others. */
export const MAX_STUCK = 1_000;
const MAX_LISTED = 20;

/** Checks one promise of a service against what it has stored. */
export interface Audit {
  /** Part of the alert's alias. */
  readonly kind: string;
  /** The message of the alert, such as `messages are overdue`. */
  readonly what: string;
  /** At most {@link MAX_STUCK}, the oldest first. */
  readonly look: (now: Date) => Promise<readonly StuckWork[]>;
  /**
   * Starts the stuck work again, in the way in which it was started first. Called once for each. Absent where nothing can be
   * done.
   */
  readonly redrive?: (ids: readonly string[], now: Date) => Promise<void>;
}

/** The parts of an {@link Auditor}. */
export interface AuditorPorts {
  readonly service: ServiceName;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly findings: {
    record(stuck: readonly StuckWork[], now: Date): Promise<readonly AuditFinding[]>;
    claim(id: string, now: Date): Promise<boolean>;
    recordRaised(ids: readonly string[], now: Date): Promise<void>;
  };
  /** The responders of the alert. */
  readonly responders: readonly ResponderReference[];
  readonly publish: (command: AlertCommand) => Promise<void>;
  readonly onCounted: (stuck: number, now: Date) => void;
  readonly onFailure: (error: unknown, text: string) => void;
}

/**
 * Looks for work that should have been done and was not. StuckWork work is redriven once. For all that is still stuck 30 s later, one
 * P1 alert is raised. A failed run has no effect but that the instant of the last run stands still.
 */
export class Auditor {
  readonly #ports: AuditorPorts;

  constructor(ports: AuditorPorts) {
    this.#ports = ports;
  }

  /**
   * Once `signal` aborts, it redrives what it has marked and ends; the next run goes on.
   *
   * @throws what `look` and `findings` throw. The next run starts from the beginning.
   */
  async run(signal?: AbortSignal): Promise<void> {
    const { audit, clock, findings, onCounted } = this.#ports;
    const now = clock.now();
    const stuck = await audit.look(now);
    const found = await findings.record(stuck, now);
    onCounted(
      stuck.reduce((sum, { count = 1 }) => sum + count, 0),
      now,
    );
    await this.#redrive(
      found.filter(({ handledAt }) => handledAt === undefined),
      now,
      signal,
    );
    await this.#raise(
      found.filter((finding) => isToBeRaised(finding, now)),
      now,
    );
  }

  /** Each is marked before it is redriven. So a failure or a crash does not redrive it twice; an alert is raised instead. */
  async #redrive(found: readonly AuditFinding[], now: Date, signal: AbortSignal | undefined): Promise<void> {
    const { findings } = this.#ports;
    const own: string[] = [];
    try {
      for (const { id } of found) {
        if (signal?.aborted === true) return;
        if (await findings.claim(id, now)) own.push(id);
      }
    } finally {
      await this.#redriveMarked(own, now);
    }
  }

  async #redriveMarked(own: readonly string[], now: Date): Promise<void> {
    const { audit, onFailure } = this.#ports;
    if (own.length === 0 || audit.redrive === undefined) return;
    try {
      await audit.redrive(own, now);
    } catch (error) {
      onFailure(error, 'StuckWork work could not be tried again.');
    }
  }

  /** After a crash in between, the alert is raised again with the same request id, which alert-processor ignores. */
  async #raise(found: readonly AuditFinding[], now: Date): Promise<void> {
    if (found.length === 0) return;
    const { audit, findings, publish, responders, service } = this.#ports;
    await publish(alertOf(found, { audit, responders, service }, now));
    await findings.recordRaised(
      found.map(({ id }) => id),
      now,
    );
  }
}

function isToBeRaised({ handledAt, raisedAt }: AuditFinding, now: Date): boolean {
  if (handledAt === undefined || raisedAt !== undefined) return false;
  return now.getTime() - handledAt.getTime() >= AUDIT_SLACK_MS;
}

/** The alias is of the kind, so that later findings count on the open alert. */
function alertOf(
  found: readonly AuditFinding[],
  { audit, responders, service }: Pick<AuditorPorts, 'audit' | 'responders' | 'service'>,
  now: Date,
): AlertCommand {
  const name = found.map(({ foundAt, id }) => `${id} ${foundAt.toISOString()}`).toSorted();
  const digest = createHash('sha256').update(name.join('\n')).digest('hex');
  const alias = `tocsin-audit:${audit.kind}`;
  const texts = found.slice(0, MAX_LISTED).map(({ text }) => text);
  const more = found.length > MAX_LISTED ? [`And ${found.length - MAX_LISTED} more.`] : [];
  return {
    kind: 'create',
    requestId: `audit:${audit.kind}:${digest.slice(0, 32)}`,
    identifier: { type: 'alias', value: alias },
    integration: { id: service, name: 'Tocsin', type: 'System' },
    actor: 'System',
    source: service,
    acceptedAt: now.toISOString(),
    alert: {
      alertId: uuidOf(digest),
      alias,
      message: `Tocsin: ${audit.what} (${found.length})`,
      description: [...texts, ...more].join('\n').slice(0, 10_000),
      responders: [...responders],
      visibleTo: [],
      actions: [],
      tags: ['tocsin-audit'],
      details: {},
      entity: service,
      priority: 'P1',
    },
  };
}

/** A UUID of version 8, made of a digest. */
function uuidOf(digest: string): string {
  const [one, two, three, four, five] = [
    [0, 8],
    [8, 12],
    [13, 16],
    [17, 20],
    [20, 32],
  ].map(([from, to]) => digest.slice(from, to));
  return `${one ?? ''}-${two ?? ''}-8${three ?? ''}-8${four ?? ''}-${five ?? ''}`;
}
