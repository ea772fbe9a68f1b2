import type { CreateAlert } from '@tocsin/contracts';
import { compileRules } from './domain/policies/compiled-rules.ts';
import { judge } from './domain/policies/judge.ts';
import type { Judgement, JudgementContext } from './domain/policies/judgement.ts';
import type { Policy } from './domain/policies/policy.ts';

export type { Policy } from './domain/policies/policy.ts';

const NOBODY: JudgementContext = {
  resolve: () => ({ kind: 'unknown' }),
  nameOf: () => undefined,
  everyone: () => [],
};

/** What `policies` say of `command` and its log, once for each call: what `bench:policies` measures. Nobody is looked up. */
export function judging(policies: readonly Policy[], command: CreateAlert): () => Judgement {
  const rules = compileRules({ policies, maintenances: [] }, 'Europe/Rome');
  return () => ({ ...judge(rules, command, NOBODY) });
}
