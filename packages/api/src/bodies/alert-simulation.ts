import { type EscalationRepeat, listOf, optional, requiredText } from '@tocsin/events';
import { z } from 'zod';
import { EscalationRepeatBody, EscalationRuleBody } from '../resources/escalations.ts';
import { EvaluatePoliciesBody } from './policy-evaluation.ts';
import { NOT_AN_OBJECT } from './refusals.ts';

/** An escalation as it would be: the rules and the repetition that the one of this id would have. */
interface DraftEscalation {
  readonly id: string;
  readonly rules: readonly EscalationRuleBody[];
  /** Undefined where its rules would fire once. */
  readonly repeat: EscalationRepeat | undefined;
}

/** About which alert a caller asks who would be notified, and with which escalation in place of the one that is there. */
export type SimulateAlertBody = EvaluatePoliciesBody & { readonly escalation: DraftEscalation | undefined };

const Draft: z.ZodType<DraftEscalation> = z
  .object(
    {
      id: requiredText('Id', 100),
      rules: listOf(EscalationRuleBody).min(1, 'Rules can not be empty.'),
      repeat: optional(EscalationRepeatBody),
    },
    NOT_AN_OBJECT,
  )
  .transform(({ repeat, ...rest }) => ({ ...rest, repeat: repeat === 'none' ? undefined : repeat }));

/** The body of an evaluation of policies, with `escalation` where a change of one is tried before it is saved. */
export const SimulateAlertBody: z.ZodType<SimulateAlertBody> = z.intersection(
  EvaluatePoliciesBody,
  z.object({ escalation: optional(Draft) }),
);
