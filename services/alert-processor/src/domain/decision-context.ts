import type { ResponderReference } from '@tocsin/contracts';
import type { Resolution } from './decided.ts';
import type { Judgement } from './policies/judgement.ts';

/** What a decision needs besides the command and the alert. */
export interface DecisionContext {
  readonly resolve: (reference: ResponderReference) => Resolution;
  readonly processedAt: Date;
  /** The tiny id of the alert, if the command makes one. */
  readonly tinyId: number;
  /** What policies plan for the alert, if the command makes one. */
  readonly judged: Pick<Judgement, 'flow' | 'entry'>;
}
