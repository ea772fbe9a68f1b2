import { setImmediate } from 'node:timers/promises';
import type { AlertCommand, ConsumedBatch, ResponderReference } from '@tocsin/contracts';
import type { Resolution } from '../domain/decided.ts';
import type { CompiledRules } from '../domain/policies/compiled-rules.ts';
import { judge } from '../domain/policies/judge.ts';
import type { Judgement, JudgementContext } from '../domain/policies/judgement.ts';
import type { KnownResponders } from '../ports/responder-directory.ts';

/**
 * The responders for judging: `resolve` knows those that commands name, `responders` the others. The list of all users
 * is read once, because there can be thousands of users, and of policies that add them all.
 */
export function judgementContext(
  resolve: (reference: ResponderReference) => Resolution,
  responders: KnownResponders,
): JudgementContext {
  let everyone: readonly string[] | undefined;
  return {
    resolve,
    nameOf: (type, id) => responders.nameOf(type, id),
    everyone: () => (everyone ??= responders.everyone()),
  };
}

/**
 * The judgement of each create among `commands`, by request id.
 *
 * It yields to the event loop after each create. A batch has hundreds, each may spend its whole pattern budget (P3),
 * and a consumer that sends no heartbeat for seconds loses its partitions.
 */
export async function judgementsOf(
  commands: readonly AlertCommand[],
  rules: CompiledRules,
  context: JudgementContext,
): Promise<ReadonlyMap<string, Judgement>> {
  const judgements = new Map<string, Judgement>();
  for (const command of commands) {
    if (command.kind !== 'create') continue;
    judgements.set(command.requestId, judge(rules, command, context));
    if (rules.hasPolicies) await setImmediate();
  }
  return judgements;
}

/** `batches` with each create as it was judged, so that its alias is the one under which it counts (P15). */
export function judgedBatches(
  batches: readonly ConsumedBatch<AlertCommand>[],
  judged: ReadonlyMap<string, Judgement>,
): readonly ConsumedBatch<AlertCommand>[] {
  if (judged.size === 0) return batches;
  return batches.map((batch) => ({
    ...batch,
    records: batch.records.map((record) => ({
      ...record,
      value: judged.get(record.value.requestId)?.command ?? record.value,
    })),
  }));
}
