import type { AlertCommand, ConsumedBatch, ResponderReference } from '@tocsin/contracts';
import type { Resolution } from '../domain/decided.ts';
import type { CompiledRules } from '../domain/policies/compiled-rules.ts';
import { judge } from '../domain/policies/judge.ts';
import type { Judgement, JudgementContext } from '../domain/policies/judgement.ts';
import type { KnownResponders } from '../ports/responder-directory.ts';

/** What judging needs of responders: `resolve` knows those that commands name, `responders` the others. */
export function judgementContext(
  resolve: (reference: ResponderReference) => Resolution,
  responders: KnownResponders,
): JudgementContext {
  return { resolve, nameOf: (type, id) => responders.nameOf(type, id), everyone: () => responders.everyone() };
}

/** What is made of each create among `commands`, by its request id. */
export function judgementsOf(
  commands: readonly AlertCommand[],
  rules: CompiledRules,
  context: JudgementContext,
): ReadonlyMap<string, Judgement> {
  const creates = commands.filter((command) => command.kind === 'create');
  return new Map(creates.map((command) => [command.requestId, judge(rules, command, context)]));
}

/** `batches` with each create as it was judged: its alias is the one that it counts under (P15). */
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
