import { z } from 'zod';
import { id, Priority } from '../primitives.ts';
import { AlertCommand } from './alert-commands.ts';

// Requests of alert-ingest to alert-processor about commands that are not sent, and the answers; never on a topic.

/** What an item of the request of a tool comes to (Q3). */
export const HOOK_OUTCOMES = [
  'opened',
  'counted',
  'raised',
  'closed',
  'nothing-to-close',
  'acknowledged',
  'noted',
  'dropped',
  'failed',
] as const;
export type HookOutcome = (typeof HOOK_OUTCOMES)[number];

/** The most commands of one question. */
const MAX_TRIED_COMMANDS = 10;

/** What the commands would come to if they were sent now, one after the other. */
export const CommandTrial = z.object({
  commands: z.array(AlertCommand).max(MAX_TRIED_COMMANDS),
  /** The team whose alerts alone are shown; absent: all alerts are. */
  teamId: id.optional(),
  /** The key or person that asks: of each, one trial at a time is under way. */
  holder: z.string(),
});
export type CommandTrial = z.infer<typeof CommandTrial>;

export const TriedCommand = z.object({
  requestId: id,
  outcome: z.enum(HOOK_OUTCOMES),
  /** The status that the request would have. */
  status: z.string(),
  /** The alert that the command would change, as it is now; absent where there is none yet, or it is not shown. */
  alert: z
    .object({
      id,
      tinyId: z.string(),
      status: z.enum(['open', 'closed']),
      acknowledged: z.boolean(),
      priority: Priority,
    })
    .optional(),
});
export type TriedCommand = z.infer<typeof TriedCommand>;

/** In the order of the commands; without those that come from no item of a request of a tool. */
export const CommandTrialAnswer = z.object({ commands: z.array(TriedCommand) });
export type CommandTrialAnswer = z.infer<typeof CommandTrialAnswer>;
