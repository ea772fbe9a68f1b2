import { z } from 'zod';
import { id } from '../primitives.ts';
import { defineTopic } from '../topics.ts';
import { at } from './shared.ts';

/** One result inside a decision: its subject, its outcome, and the facts that an explanation needs. */
export const DecisionFinding = z.object({
  /** The subject, such as `routing-rule`, `escalation-rule`, `on-call`, `page`, `step`, `delivery`. */
  subject: z.string(),
  /** The outcome, such as `matched`, `skipped`, `fired`, `no-recipient`, `sent`, `failed`. */
  outcome: z.string(),
  /** A sentence for a person: the text of the alert's log entry. */
  text: z.string(),
  /** Ids, names and layers behind it. */
  facts: z.record(z.string(), z.unknown()).optional(),
});
export type DecisionFinding = z.infer<typeof DecisionFinding>;

/**
 * Why a user was or was not paged: one per stage and batch, written once under its deterministic id (promise 2).
 *
 * It is about an alert, or about a user alone (a notice such as an invitation): then `alertId` is absent and `userId` is
 * there. A finding of stage `deliver` with the outcome `sent` or `delivered` always has the facts `{userId, username, method, to}`: the user who got
 * the message, the method and the address. A finding about the subject `page` with the outcome `paged` always has `{userId, username}`: the user to page.
 */
export const Decision = z.object({
  decisionId: z.string(),
  alertId: id.optional(),
  userId: id.optional(),
  stage: z.enum(['ingest', 'process', 'route', 'page', 'deliver']),
  at,
  findings: z.array(DecisionFinding).min(1),
});
export type Decision = z.infer<typeof Decision>;

/** Keyed by alert, whose log they belong to; by user where there is none. */
export const Decisions = defineTopic<Decision>({
  name: 'decisions.v1',
  kind: 'events',
  schema: Decision,
  key: (decision) => decision.alertId ?? decision.userId ?? decision.decisionId,
});
