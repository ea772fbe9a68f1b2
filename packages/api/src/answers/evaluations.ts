import { z } from 'zod';
import { Id, Instant, Priority } from './shared.ts';

const Responder = z.object({
  type: z.enum(['user', 'team', 'escalation', 'schedule']),
  id: Id.optional(),
  name: z.string().optional(),
});

const EvaluatedAlert = z.object({
  message: z.string(),
  alias: z.string(),
  description: z.string(),
  entity: z.string(),
  source: z.string(),
  priority: Priority,
  actions: z.array(z.string()),
  tags: z.array(z.string()),
  details: z.record(z.string(), z.string()),
  responders: z.array(Responder),
  visibleTo: z.array(Responder),
});

/** The scheduled actions after the start. */
const afterwards = {
  autoClose: z.object({ at: Instant, policy: z.string() }).optional(),
  autoRestart: z
    .object({ everySeconds: z.number().min(60), maxRepeatCount: z.int().min(0), policy: z.string() })
    .optional(),
};

/** When users would be notified. */
const Flow = z.discriminatedUnion('starts', [
  z.object({ starts: z.literal('at-once'), startsAt: Instant, ...afterwards }),
  z.object({ starts: z.literal('later'), startsAt: Instant, policy: z.string(), ...afterwards }),
  z.object({
    starts: z.literal('by-occurrence'),
    occurrence: z.int().min(2),
    withinSeconds: z.number().optional(),
    policy: z.string(),
    ...afterwards,
  }),
  z.object({ starts: z.literal('never'), suppressed: z.string(), ...afterwards }),
]);

const judged = { id: Id, name: z.string(), teamId: Id.optional(), text: z.string() };
const Change = z.object({ field: z.string(), from: z.string(), to: z.string() });

/** The result about one policy. */
const PolicyFinding = z.union([
  z.object({ ...judged, type: z.literal('alert'), matched: z.literal(true), changes: z.array(Change) }),
  z.object({
    ...judged,
    type: z.literal('notification'),
    matched: z.literal(true),
    effects: z.array(z.enum(['suppress', 'delay', 'deduplication', 'autoClose', 'autoRestart'])),
  }),
  z.object({
    ...judged,
    type: z.enum(['alert', 'notification']),
    matched: z.literal(false),
    reason: z.enum(['disabled', 'maintenance', 'time-restriction', 'conditions', 'stopped', 'taken', 'no-effect']),
    expectedValue: z.string().optional().meta({ description: 'What the condition that failed asks for.' }),
  }),
]);

/** The result of a create: the reason why it is dropped, or the alert after the policies, its flow, and the results of the policies. */
export const Evaluation = z
  .object({
    at: Instant,
    outcome: z.enum(['dropped', 'created', 'repeated']),
    status: z.string().optional().meta({ description: 'What drops it.' }),
    repeats: z
      .object({ id: Id, tinyId: z.string(), alias: z.string() })
      .optional()
      .meta({ description: 'The open alert on which it would count. Absent where the key may not see it.' }),
    alert: EvaluatedAlert,
    flow: Flow.optional().meta({ description: 'Of a created one alone.' }),
    policies: z.array(PolicyFinding),
    otherPolicies: z
      .object({ matched: z.int().min(0), notMatched: z.int().min(0) })
      .meta({ description: 'How many more there are: the answer has up to a hundred of each kind.' }),
  })
  .meta({ id: 'Evaluation' });
