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

/**
 * Judges `command` by `policies` on each call, log entry included; `bench:policies` measures it. It looks up nobody.
 */
export function judging(policies: readonly Policy[], command: CreateAlert): () => Judgement {
  const rules = compileRules({ policies, maintenances: [] }, 'Europe/Rome');
  return () => ({ ...judge(rules, command, NOBODY) });
}
