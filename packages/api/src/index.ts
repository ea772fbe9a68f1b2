export {
  addDetailsBody,
  type AddDetailsBody,
  AddResponderBody,
  addTagsBody,
  type AddTagsBody,
  AddTeamBody,
  AlertRemovalBody,
  AlertRemovalQuery,
  AssignBody,
  EscalateBody,
  SnoozeBody,
  UpdateDescriptionBody,
  UpdateMessageBody,
  UpdatePriorityBody,
} from './bodies/alert-actions.ts';
export { detailsLength, OnExcess } from './bodies/alert-fields.ts';
export { SimulateAlertBody } from './bodies/alert-simulation.ts';
export {
  ALERT_LIST_DEPTH,
  ALERT_SORT_FIELDS,
  AlertHistoryQuery,
  type AlertSortField,
  CountAlertsQuery,
  ExplainAlertQuery,
  ListAlertsQuery,
} from './bodies/alert-reads.ts';
export {
  CONDITION_FIELDS,
  CONDITION_OPERATIONS,
  CONDITION_SET_TYPES,
  type Criteria,
  ActionFilterBody,
  conditionForTools,
  CriteriaBody,
  FilterBody,
  MAIL_CONDITION_FIELDS,
  MATCH_ALL_CRITERIA,
  UnboundedCriteriaBody,
  type WrittenCondition,
  type WrittenConditionSet,
} from './bodies/conditions.ts';
export {
  type Duration,
  DurationBody,
  durationMs,
  type DurationUnit,
  minutesBody,
  type MinutesView,
  minutesView,
} from './bodies/durations.ts';
export { importIntegrationBody, type ImportIntegrationBody, ImportKeyBody } from './bodies/imported-integrations.ts';
export { type ImportPolicyBody, ImportPolicyV1Body, ImportPolicyV2Body } from './bodies/imported-policies.ts';
export type { RecipientReference, RecipientType, TeamReference } from './bodies/integration-fields.ts';
export { chatProviderOf, integrationKind } from './bodies/integration-types.ts';
export { MAX_PATTERN_TEXT, MAX_WRITTEN_STEPS, takeTooLong, TOO_MANY_STEPS } from './bodies/pattern-steps.ts';
export {
  type Again,
  type AlertEffectsOf,
  type AutoClose,
  type AutoRestart,
  type Deduplication,
  type Delay,
  DELAY_OPTIONS,
  type DelayDay,
  type ModificationOf,
  type NotificationEffects,
  type PolicyEffectsOf,
  type WrittenAlertEffectsOf,
  type WrittenEffectsOf,
} from './bodies/policy-effects.ts';
export { EvaluatePoliciesBody } from './bodies/policy-evaluation.ts';
export { policiesTakeTooLong } from './bodies/policy-patterns.ts';
export type { Reference } from './bodies/references.ts';
export { readBy } from './bodies/refusals.ts';
export {
  ExtendedRole,
  OptionalRoleReferenceBody,
  RoleBody,
  RoleQuery,
  type RoleReference,
  RoleReferenceBody,
} from './bodies/roles.ts';
export { SnappedTimeRestrictionBody, TimeRestrictionBody } from './bodies/time-restrictions.ts';
export { type UserCondition, UserQuery, type UserTextCondition } from './bodies/user-query.ts';
export { matchOperation, type OperationMatch } from './match.ts';
export {
  type DescribedOperation,
  type Domain,
  DOMAINS,
  type Method,
  type Operation,
  PEOPLE,
  type People,
  isReadOnly,
  peopleOf,
  type RequestBody,
  type Resource,
  type Right,
  RIGHTS,
} from './operation.ts';
export {
  type AlertWriteId,
  type AnswerOf,
  type ItemOf,
  operation,
  type OperationId,
  OPERATIONS,
  RESOURCES,
} from './operations.ts';
export {
  AddNoteBody,
  AlertActionBody,
  AlertIdentifierQuery,
  createAlertBody,
  type CreateAlertBody,
} from './resources/alert-bodies.ts';
export {
  ATTACHMENT_LIMITS,
  AttachmentFields,
  AttachmentQuery,
  AttachmentRemovalBody,
  FileName,
  KeepFileQuery,
  plainFileName,
} from './resources/attachments.ts';
export { CallbackQuery } from './resources/callbacks.ts';
export { type ChangedKind, type Changes } from './resources/console-changes.ts';
export { RedeemOpenIdSignInBody, RedeemSignInBody, SignInBody } from './resources/console-sessions.ts';
export {
  ConfirmContactBody,
  contactAddressFault,
  ContactBodyMethod,
  CreateContactBody,
  type KeyedPushService,
  RegisterBrowserBody,
  RegisterDeviceBody,
  UpdateContactBody,
} from './resources/contacts.ts';
export {
  CreateEscalationBody,
  type EscalationRepeatBody,
  EscalationRuleBody,
  NOTIFY_TYPES,
  type RecipientOfRule,
  UpdateEscalationBody,
} from './resources/escalations.ts';
export {
  CreateForwardingRuleBody,
  ForwardingRuleQuery,
  UpdateForwardingRuleBody,
} from './resources/forwarding-rules.ts';
export { CreateHeartbeatBody, IntervalUnit, UpdateHeartbeatBody } from './resources/heartbeats.ts';
export {
  ACTION_GROUPS,
  type ActionGroup,
  CreateIntegrationActionBody,
  type IntegrationActionBody,
  IntegrationActionsBody,
  MAX_ACTIONS,
  ListIntegrationActionsQuery,
} from './resources/integration-actions.ts';
export { EVENT_ACTIONS, HEADERS_OF_TOOLS, MAX_DEDUP_KEY } from './resources/hooks.ts';
export {
  ImportNotificationRulesBody,
  ImportRoutingRulesBody,
  ImportTeamBody,
  ImportUserBody,
} from './resources/directory-import-bodies.ts';
export { ImportPath, ImportScheduleBody } from './resources/imports.ts';
export { SAMPLE_LIMITS } from './resources/integration-samples.ts';
export { TRIAL_LIMITS, TryIntegrationBody } from './resources/integration-trials.ts';
export {
  AlertAction,
  AuthenticateIntegrationBody,
  HIDDEN,
  integrationBody,
  type IntegrationBody,
  integrationListQuery,
  type IntegrationListQuery,
} from './resources/integration-bodies.ts';
export {
  ImportMaintenanceBody,
  MAINTENANCE_TYPES,
  MaintenanceBody,
  MaintenanceEndDateBody,
  MaintenanceListQuery,
  type MaintenanceRule,
  type MaintenanceTime,
  type MaintenanceType,
} from './resources/maintenance.ts';
export { MOVE_CONDITIONS, MoveBody } from './resources/move.ts';
export {
  ChangeNotificationRuleOrderBody,
  CopyNotificationRulesBody,
  type CopyTargets,
  CreateNotificationRuleBody,
  CreateNotificationStepBody,
  type NotificationRepeat,
  UpdateNotificationRuleBody,
  UpdateNotificationStepBody,
} from './resources/notification-rule-bodies.ts';
export { GetOnCallsQuery, ListOnCallsQuery, TimelineQuery } from './resources/on-calls.ts';
export {
  CreateOverrideBody,
  type OverrideUserReference,
  SimulateOverrideBody,
  UpdateOverrideBody,
} from './resources/overrides.ts';
export {
  createdPolicy,
  CreatePolicyBody,
  CreatePolicyV2Body,
  MovePolicyBody,
  POLICY_V1_TYPES,
  type PolicyBody,
  type PolicyReplacement,
  PolicyScopeQuery,
  type PolicyV1Type,
  UpdatePolicyBody,
  UpdatePolicyV2Body,
  type WrittenPolicy,
} from './resources/policy-bodies.ts';
export {
  READINESS_KINDS,
  READINESS_SEVERITIES,
  type ReadinessKind,
  ReadinessQuery,
  type ServiceFinding,
  ServiceFindings,
  serviceFindings,
} from './resources/readiness.ts';
export { CreateRotationBody, SchedulePartQuery, UpdateRotationBody } from './resources/rotations.ts';
export {
  ChangeRoutingRuleOrderBody,
  CreateRoutingRuleBody,
  MAX_ROUTING_RULES,
  type RoutingTargetReference,
  UpdateRoutingRuleBody,
} from './resources/routing-rules.ts';
export { CreateSavedSearchBody, SavedSearchQuery, UpdateSavedSearchBody } from './resources/saved-searches.ts';
export {
  changedName,
  CreateScheduleBody,
  IdentifierQuery,
  ListSchedulesQuery,
  MAX_SCHEDULE_NAME_LENGTH,
  type ParticipantReference,
  RotationBody,
  UpdateScheduleBody,
} from './resources/schedules.ts';
export { ListOpsgenieKeysQuery, MAX_OPSGENIE_KEYS } from './resources/opsgenie-keys.ts';
export { ShadowBody } from './resources/shadow.ts';
export { CreateTeamRoleBody, MAX_TEAM_ROLES, TeamRoleQuery, UpdateTeamRoleBody } from './resources/team-roles.ts';
export {
  AddTeamMemberBody,
  CreateTeamBody,
  TeamLogQuery,
  TeamPartQuery,
  TeamQuery,
  UpdateTeamBody,
} from './resources/teams.ts';
export {
  CreateUserBody,
  GetUserQuery,
  ListUsersQuery,
  Locale,
  UpdateUserBody,
  Username,
  UserSort,
} from './resources/users.ts';
