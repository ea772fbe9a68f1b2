import { z } from 'zod';
import { id } from '../primitives.ts';
import { defineTopic, type TopicDefinition } from '../topics.ts';
import { ConditionSet, TimeRestriction } from './conditions.ts';
import { ActionType } from './pages.ts';
import { at, Version } from './shared.ts';
import { ChatOnCall, WebhookAction } from './webhook-commands.ts';

/**
 * The envelope of a compacted topic: the whole state of one entity, or the fact that it is deleted. A day after a delete the
 * key is erased with a null value.
 */
export type StateMessage<T> =
  { id: string; version: Version; deleted: false; state: T } | { id: string; version: Version; deleted: true };

/** The most states that one request to their owner names. A key has 1000 code points at most, so the body stays under 1 MiB. */
export const MAX_STATES_PER_LOOK_UP = 100;

function defineState<T>(name: string, state: z.ZodType<T>): TopicDefinition<StateMessage<T>> {
  const schema = z.discriminatedUnion('deleted', [
    z.object({ id, version: Version, deleted: z.literal(false), state }),
    z.object({ id, version: Version, deleted: z.literal(true) }),
  ]) as unknown as z.ZodType<StateMessage<T>>;
  return defineTopic({ name, kind: 'state', schema, key: (message) => message.id });
}

/** The ways to reach a user (part 3, 2.2). */
export const ContactMethod = z.enum(['email', 'sms', 'voice', 'mobile']);
export type ContactMethod = z.infer<typeof ContactMethod>;

/** The beginning of the name of each subscription of a browser, the address of its contact (U22). No topic of a device has it. */
export const SUBSCRIPTION_PREFIX = 'browser-';

/** The services beside ntfy that push to devices of users (U13). */
export const PushService = z.enum(['gotify', 'pushover', 'telegram', 'slack', 'mattermost']);
export type PushService = z.infer<typeof PushService>;

/** The address of a device at a service, with the key that its user has there: in Telegram, Slack and Mattermost the id of their account. No topic of ntfy has a colon. */
export const deviceAddress = (service: PushService, key: string): string => `${service}:${key}`;

/** The service that pushes to an address of method `mobile`, and the key of its user there; undefined of a topic or a browser. */
export function pushServiceOf(to: string): { readonly service: PushService; readonly key: string } | undefined {
  const at = to.indexOf(':');
  const service = PushService.safeParse(to.slice(0, Math.max(0, at)));
  return service.success ? { service: service.data, key: to.slice(at + 1) } : undefined;
}

/** How long before a shift starts or ends its user is notified of it (part 3, 2.3). */
export const LeadTime = z.enum(['just-before', '15-minutes-ago', '1-hour-ago', '1-day-ago']);
export type LeadTime = z.infer<typeof LeadTime>;

/** Part 3, 2.3: how one user wants to be notified of one kind of action. Delays are minutes, 0 or more. */
export const NotificationRuleState = z.object({
  id,
  name: z.string(),
  actionType: ActionType,
  order: z.int(),
  enabled: z.boolean(),
  criteria: ConditionSet,
  timeRestriction: TimeRestriction.optional(),
  notificationTime: z.array(LeadTime).optional(),
  scheduleIds: z.array(id).optional(),
  repeat: z.object({ enabled: z.boolean(), loopAfterMinutes: z.int() }).optional(),
  steps: z.array(
    z.object({
      id,
      contact: z.object({ method: ContactMethod, to: z.string() }),
      sendAfterMinutes: z.int().min(0),
      enabled: z.boolean(),
    }),
  ),
});
export type NotificationRuleState = z.infer<typeof NotificationRuleState>;

/** Part 3, 2.1-2.4: a user with contacts and notification rules. */
export const UserState = z.object({
  id,
  username: z.string(),
  fullName: z.string(),
  role: z.string(),
  timeZone: z.string(),
  locale: z.string(),
  blocked: z.boolean(),
  /** No mail server has accepted a mail to the user name yet (U11). */
  unverified: z.literal(true).optional(),
  /** Until then (exclusive), of pages and notices of shifts, only pages of P1 alerts are sent (U2). */
  mutedUntil: at.optional(),
  contacts: z.array(
    z.object({
      id,
      method: ContactMethod,
      to: z.string(),
      enabled: z.boolean(),
      /** Not to be used until its owner confirms it (U3). */
      unverified: z.literal(true).optional(),
      /** Of a registered device: the push server has accepted no message for it yet. It is used all the same (U13). */
      unverifiedDevice: z.literal(true).optional(),
      /**
       * Of a browser: where its push service takes messages for it, and the keys that encrypt them (base64url). It takes only what the
       * key of notifier has signed, so other readers can send nothing with these.
       */
      subscription: z.object({ endpoint: z.string(), p256dh: z.string(), auth: z.string() }).optional(),
      /** Of a browser: its push service said that it is no longer subscribed, so it is not used (U22). */
      subscriptionEnded: z.literal(true).optional(),
    }),
  ),
  notificationRules: z.array(NotificationRuleState),
});
export type UserState = z.infer<typeof UserState>;

/** Part 2, 2.3: where a team sends the alerts for which `criteria` hold, within its time restriction. */
export const RoutingRuleState = z.object({
  id,
  name: z.string(),
  isDefault: z.boolean(),
  order: z.int(),
  timezone: z.string(),
  criteria: ConditionSet,
  timeRestriction: TimeRestriction.optional(),
  notify: z.discriminatedUnion('type', [
    z.object({ type: z.enum(['schedule', 'escalation']), id }),
    z.object({ type: z.literal('none') }),
  ]),
});
export type RoutingRuleState = z.infer<typeof RoutingRuleState>;

/** Part 2, 2.1-2.3: a team with members and routing rules, the default rule last. */
export const TeamState = z.object({
  id,
  name: z.string(),
  description: z.string(),
  members: z.array(z.object({ userId: id, role: z.string() })),
  routingRules: z.array(RoutingRuleState),
});
export type TeamState = z.infer<typeof TeamState>;

/** A participant of a rotation; `none` leaves a turn without a user. */
export const ParticipantState = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['user', 'team', 'escalation']), id }),
  z.object({ type: z.literal('none') }),
]);
export type ParticipantState = z.infer<typeof ParticipantState>;

/**
 * Part 2, 2.5: participants who take turns of `length` hours, days or weeks, from `startDate` (inclusive) to `endDate`
 * (exclusive).
 */
export const RotationState = z.object({
  id,
  name: z.string(),
  startDate: at,
  endDate: at.optional(),
  type: z.enum(['hourly', 'daily', 'weekly']),
  length: z.int().min(1),
  participants: z.array(ParticipantState),
  timeRestriction: TimeRestriction.optional(),
});
export type RotationState = z.infer<typeof RotationState>;

/** Part 2, 2.4-2.5. */
export const ScheduleState = z.object({
  id,
  name: z.string(),
  description: z.string(),
  timezone: z.string(),
  enabled: z.boolean(),
  ownerTeamId: id.optional(),
  rotations: z.array(RotationState),
});
export type ScheduleState = z.infer<typeof ScheduleState>;

/** The members of a recipient that are paged: of a schedule one of the first three, of a team also one of the others (S9). */
export const NotifyType = z.enum(['default', 'next', 'previous', 'users', 'admins', 'all', 'random']);
export type NotifyType = z.infer<typeof NotifyType>;

/** How an escalation starts again while its alert is open (S9). */
export const EscalationRepeat = z.object({
  /** From when the last rule is due to the restart, or to the close after the last repeat; 1 or more. */
  waitMinutes: z.int().min(1),
  /** 0 to 20. */
  count: z.int().min(0),
  /** Each repeat takes acknowledged and seen as undone. */
  resetRecipientStates: z.boolean(),
  /** The alert is closed after the last repeat, also one that is acknowledged. */
  closeAlertAfterAll: z.boolean(),
});
export type EscalationRepeat = z.infer<typeof EscalationRepeat>;

/** Part 2, 2.9. */
export const EscalationState = z.object({
  id,
  name: z.string(),
  description: z.string(),
  ownerTeamId: id.optional(),
  rules: z.array(
    z.object({
      condition: z.enum(['if-not-acked', 'if-not-closed']),
      notifyType: NotifyType,
      delayMinutes: z.int().min(0),
      recipient: z.object({ type: z.enum(['user', 'schedule', 'team']), id }),
    }),
  ),
  repeat: EscalationRepeat.optional(),
});
export type EscalationState = z.infer<typeof EscalationState>;

/** Part 1, 2.4: an integration; its key only as SHA-256 (K2). */
export const IntegrationState = z.object({
  id,
  name: z.string(),
  type: z.string(),
  enabled: z.boolean(),
  ownerTeamId: id.optional(),
  allowReadAccess: z.boolean(),
  allowWriteAccess: z.boolean(),
  allowConfigurationAccess: z.boolean(),
  suppressNotifications: z.boolean(),
  /** Lower-case hex. Absent where the integration has no key (e-mail). */
  keyHash: z.string().optional(),
  /** Keys that were replaced and work until `validUntil` (exclusive). */
  retiringKeys: z.array(z.object({ keyHash: z.string(), validUntil: at })).optional(),
  /** Of these keys, the hashes of those that were imported from another account (I6). Absent where none was. */
  importedKeyHashes: z.array(z.string()).optional(),
  /**
   * The actions of which it is notified for which alerts, where it sends alert actions to a URL (P12). Where to and how is asked of its
   * owner: URLs and headers are secrets.
   */
  webhook: z.object({ alertActions: z.array(WebhookAction), alertFilter: ConditionSet }).optional(),
  /** Of a chat: what its channel shows of who is on call, where it shows any (C10). */
  onCall: z.array(ChatOnCall).optional(),
  /** Whether reports of its chat come by a connection that is opened to the product (Socket Mode of Slack). Its token is asked of its owner. */
  socketMode: z.literal(true).optional(),
});
export type IntegrationState = z.infer<typeof IntegrationState>;

/** A custom role: the fixed role whose rights its users have (K11). */
export const RoleState = z.object({ id, extendedRole: z.enum(['user', 'observer', 'stakeholder']) });
export type RoleState = z.infer<typeof RoleState>;

/** A session of a signed-in person; its token only as SHA-256 (K21). */
export const SessionState = z.object({
  id,
  userId: id,
  /** Lower-case hex. */
  tokenHash: z.string(),
  lastUsedAt: at,
  /** From this instant on it has ended. Moves with each use that directory knows of. */
  expiresAt: at,
});
export type SessionState = z.infer<typeof SessionState>;

/**
 * The backlog of a partition of a consumer through which every page goes: how many records waited, and the oldest of them for how
 * many milliseconds, when it was reported; 0 once no record waits for long enough to be reported (F3).
 */
export const BacklogState = z.object({ consumer: z.string(), records: z.int().min(0), ageMs: z.int().min(0) });
export type BacklogState = z.infer<typeof BacklogState>;

/** The one entity of {@link ShadowSwitches}. */
export const SHADOW_SWITCH = 'shadow';
/**
 * For how long a process of notifier or gateway acts on what it has read of the switch, milliseconds from the begin of the read, and from when
 * on none acts on an older state. The margin is for what passes between the last look at the switch and the first byte.
 */
export const SHADOW_TIMING = { knownForMs: 4_000, effectiveAfterMs: 5_000 } as const;

/**
 * Whether the account is in shadow: then notifier records messages and does not send them. `periodId` is the id of the present period of
 * shadow, or of the last one that was ended; absent where there was none. The end of another period ends none (M3).
 *
 * `importedKeys` says where requests with imported keys are handled: `here`; `leaving`, no longer here, which some process may not know yet;
 * absent: they are forwarded (M8). It is absent while shadow is on.
 */
export const ShadowSwitchState = z.object({
  enabled: z.boolean(),
  periodId: id.optional(),
  changedAt: at,
  importedKeys: z.enum(['here', 'leaving']).optional(),
});
export type ShadowSwitchState = z.infer<typeof ShadowSwitchState>;
export type ShadowSwitchMessage = StateMessage<ShadowSwitchState>;

/** Every user; owned by directory. */
export const Users = defineState('users.v1', UserState);
/** Every team that is whole; owned by directory. */
export const Teams = defineState('teams.v1', TeamState);
/** Every custom role; owned by directory. */
export const Roles = defineState('roles.v1', RoleState);
/** Every session of a signed-in person; owned by directory. */
export const Sessions = defineState('sessions.v1', SessionState);
/** The switch that keeps messages back, one for the account; owned by directory. It is never deleted. */
export const ShadowSwitches = defineState('shadow-switches.v1', ShadowSwitchState);
/** Every schedule with its rotations; owned by scheduling. */
export const Schedules = defineState('schedules.v1', ScheduleState);
/** Every escalation; owned by scheduling. */
export const Escalations = defineState('escalations.v1', EscalationState);
/** Every integration with the hash of its key; owned by alert-ingest. */
export const Integrations = defineState('integrations.v1', IntegrationState);
/** The backlogs of the consumers through which every page goes, by consumer and partition; each reports its own. */
export const Backlogs = defineState('backlogs.v1', BacklogState);
