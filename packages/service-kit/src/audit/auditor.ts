import { createHash } from 'node:crypto';
import type { Clock } from '@tocsin/clock';
import type { AlertCommand, ResponderReference, ServiceName } from '@tocsin/contracts';
import type { AuditFinding, Stuck } from '@tocsin/persistence';

/** What is due for so long, and not done, is stuck; so long it has again after it was driven once more. */
export const AUDIT_SLACK_MS = 30_000;

/** Of one audit. What is beyond is met by the next ones. */
export const MOST_STUCK = 1_000;
const MOST_TOLD = 20;

/** One promise of a service, as the service itself holds it against what it has stored. */
export interface Audit {
  /** Names the alert that is raised, and what it is about, such as `people are not told`. */
  readonly kind: string;
  readonly what: string;
  /** At most {@link MOST_STUCK}, the oldest first. */
  readonly look: (now: Date) => Promise<readonly Stuck[]>;
  /**
   * Sets going again what has come to a stand, by what set it going before. Once for each; left out where nothing can be done.
   */
  readonly redrive?: (ids: readonly string[], now: Date) => Promise<void>;
}

/** What an {@link Auditor} needs. */
export interface AuditorPorts {
  readonly service: ServiceName;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly findings: {
    record(stuck: readonly Stuck[], now: Date): Promise<readonly AuditFinding[]>;
    handle(id: string, now: Date): Promise<boolean>;
    raised(ids: readonly string[], now: Date): Promise<void>;
  };
  /** Who is told of what does not come right. */
  readonly responders: readonly ResponderReference[];
  readonly publish: (command: AlertCommand) => Promise<void>;
  readonly onCounted: (stuck: number, now: Date) => void;
  readonly onTrouble: (error: unknown, text: string) => void;
}

/**
 * Looks for what should have happened and did not. What is stuck is driven once more; where it is still stuck 30 s later, one
 * P1 alert is raised for all of it. A failure of its own changes nothing for anybody: only the instant of its last run stands
 * still.
 */
export class Auditor {
  readonly #ports: AuditorPorts;

  constructor(ports: AuditorPorts) {
    this.#ports = ports;
  }

  /** @throws what `look` and the store of findings throw; the next run begins anew. */
  async run(): Promise<void> {
    const { audit, clock, findings, onCounted } = this.#ports;
    const now = clock.now();
    const stuck = await audit.look(now);
    const met = await findings.record(stuck, now);
    onCounted(
      stuck.reduce((sum, { count = 1 }) => sum + count, 0),
      now,
    );
    await this.#redrive(
      met.filter(({ handledAt }) => handledAt === undefined),
      now,
    );
    await this.#raise(
      met.filter((finding) => isToBeRaised(finding, now)),
      now,
    );
  }

  /** It is written down first: what fails, or dies on the way, is not driven twice, and is raised instead. */
  async #redrive(met: readonly AuditFinding[], now: Date): Promise<void> {
    const { audit, findings, onTrouble } = this.#ports;
    const own: string[] = [];
    for (const { id } of met) if (await findings.handle(id, now)) own.push(id);
    if (own.length === 0 || audit.redrive === undefined) return;
    try {
      await audit.redrive(own, now);
    } catch (error) {
      onTrouble(error, 'what is stuck could not be set going again');
    }
  }

  /** A process that dies before this is written down raises it again under the same id, and that folds. */
  async #raise(met: readonly AuditFinding[], now: Date): Promise<void> {
    if (met.length === 0) return;
    const { audit, findings, publish, responders, service } = this.#ports;
    await publish(alertOf(met, { audit, responders, service }, now));
    await findings.raised(
      met.map(({ id }) => id),
      now,
    );
  }
}

function isToBeRaised({ handledAt, raisedAt }: AuditFinding, now: Date): boolean {
  if (handledAt === undefined || raisedAt !== undefined) return false;
  return now.getTime() - handledAt.getTime() >= AUDIT_SLACK_MS;
}

/** One open alert for each kind: what is found later counts on it. */
function alertOf(
  met: readonly AuditFinding[],
  { audit, responders, service }: Pick<AuditorPorts, 'audit' | 'responders' | 'service'>,
  now: Date,
): AlertCommand {
  const name = met.map(({ foundAt, id }) => `${id} ${foundAt.toISOString()}`).toSorted();
  const digest = createHash('sha256').update(name.join('\n')).digest('hex');
  const alias = `tocsin-audit:${audit.kind}`;
  const texts = met.slice(0, MOST_TOLD).map(({ text }) => text);
  const more = met.length > MOST_TOLD ? [`And ${met.length - MOST_TOLD} more.`] : [];
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
      message: `Tocsin: ${audit.what} (${met.length})`,
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
