import type { Decision } from '@tocsin/events';
import type { Stages } from '@tocsin/kafka';
import { entryIdOf, type LogEntry, type Position, SYSTEM } from './entry.ts';
import type { DecisionStore } from './store.ts';

const STAGES = ['ingest', 'process', 'route', 'page', 'deliver'] as const satisfies Decision['stage'][];

/** Higher than any rank of callers' own entries within one millisecond. */
const FIRST_RANK = 100_000;
/** More than one decision can have: a record of Kafka has 1 MB, and a finding 30 bytes at least. */
const FINDINGS = 100_000;
const HASHES = 2 ** 32;

/**
 * The log entries of a decision, one per finding; none if it is about no alert. Ids and positions depend on the
 * decision alone, so a redelivered decision is written once. Within one instant, earlier stages come first and findings
 * keep their order.
 */
export function decisionEntries({ decisionId, alertId, stage, at, findings }: Decision): readonly LogEntry[] {
  if (alertId === undefined) return [];
  const createdAt = new Date(at);
  const rank = FIRST_RANK + (STAGES.indexOf(stage) * HASHES + hashOf(decisionId)) * FINDINGS;
  return findings.map(({ text, ...finding }, index) => ({
    writtenBy: decisionId,
    entryId: entryIdOf(decisionId, index),
    alertId,
    log: text,
    type: stage === 'page' || stage === 'deliver' ? 'alertRecipient' : 'system',
    owner: SYSTEM,
    createdAt,
    position: { ms: createdAt.getTime(), nanos: rank + index } satisfies Position,
    decision: { decisionId, stage, ...finding },
  }));
}

/** FNV-1a, 32 bits: it spreads well and needs no library. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}

/**
 * Consumes `decisions.v1`: writes them into the logs of alerts, even if the alert is not known yet (promise 2). Their entries have ids,
 * so a repeat changes nothing, and needs no transaction. A decision that fails for ever becomes a dead letter only.
 */
export const decisionsIntoLogs = (
  log: Pick<DecisionStore, 'append'>,
): Stages<Decision, undefined, void, void, readonly LogEntry[]> => ({
  read: () => Promise.resolve(),
  decide: (_, records) => records.flatMap(({ value }) => decisionEntries(value)),
  write: (_, entries) => log.append(entries),
});
