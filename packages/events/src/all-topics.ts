import {
  AlertCommands,
  AlertCommandsBulk,
  AlertEvents,
  Backlogs,
  DeadLetters,
  Decisions,
  Escalations,
  Integrations,
  NoticeCommands,
  Pages,
  Schedules,
  ShiftNotices,
  Teams,
  Users,
  VerificationEvents,
  WebhookCommands,
} from './messages/index.ts';
import type { TopicDefinition } from './topics.ts';

/** Every topic of the installation; `deploy/` creates them, nothing else does. */
export const ALL_TOPICS: readonly TopicDefinition<never>[] = [
  AlertCommands,
  AlertCommandsBulk,
  AlertEvents,
  Pages,
  NoticeCommands,
  ShiftNotices,
  WebhookCommands,
  Decisions,
  VerificationEvents,
  DeadLetters,
  Users,
  Teams,
  Schedules,
  Escalations,
  Integrations,
  Backlogs,
] as readonly unknown[] as readonly TopicDefinition<never>[];
