import { z } from 'zod';
import { flexibleBoolean, oneOf, optional, optionalReference, requiredText } from '../primitives.ts';

/** Integration types that behave as API ones: holders of a key (P12). */
export const API_INTEGRATION_TYPES = [
  'API',
  'Airbrake',
  'AppDynamics',
  'AppSignal',
  'AzureMonitor',
  'Bitbucket',
  'Catchpoint',
  'CircleCi',
  'CloudWatch',
  'CloudWatchEvents',
  'Datadog',
  'Dynatrace',
  'Freshdesk',
  'Freshservice',
  'GitHub',
  'GitLab',
  'GoogleStackdriver',
  'Grafana',
  'Graylog',
  'Honeybadger',
  'Icinga',
  'Icinga2',
  'Jenkins',
  'Jira',
  'JiraServiceDesk',
  'Kapacitor',
  'Kibana',
  'Librato',
  'Logentries',
  'Loggly',
  'LogicMonitor',
  'Logstash',
  'Nagios',
  'NagiosXI',
  'NewRelic',
  'NewRelicV2',
  'NodePing',
  'Opsview',
  'Papertrail',
  'Pingdom',
  'Prometheus',
  'Prtg',
  'Raygun',
  'Rollbar',
  'Scom',
  'Sensu',
  'Sentry',
  'ServiceNow',
  'SignalFX',
  'Site24x7',
  'Slack',
  'SolarWinds',
  'Splunk',
  'StatusCake',
  'Statuspage',
  'SumoLogic',
  'ThousandEyes',
  'TravisCI',
  'UptimeRobot',
  'Wavefront',
  'Zabbix',
  'Zendesk',
  'Zenoss',
] as const;

/** Types of the specification whose own behaviour is still to come. */
const UNSUPPORTED_TYPES = ['email', 'webhook'];

/**
 * A type of integration, compared without regard to case and answered as written (P12). `extra` are the types of the
 * setting `EXTRA_INTEGRATION_TYPES`.
 */
export function integrationType(extra: readonly string[]): z.ZodType<string> {
  const known = new Set([...API_INTEGRATION_TYPES, ...extra].map((type) => type.toLowerCase()));
  return requiredText('Type').superRefine((type, context) => {
    const lower = type.toLowerCase();
    if (known.has(lower)) return;
    const message = UNSUPPORTED_TYPES.includes(lower)
      ? `[${type}] is not supported yet`
      : `[${type}] is not a known type`;
    context.addIssue({ code: 'custom', message });
  });
}

/** What an outgoing webhook may be told of (P12), in any letter case. */
export const AlertAction = oneOf([
  'Create',
  'Acknowledge',
  'UnAcknowledge',
  'Snooze',
  'EscalateToNext',
  'AddNote',
  'AddRecipient',
  'AddTeam',
  'AddTags',
  'RemoveTags',
  'Close',
  'Delete',
  'CustomAction',
  'AssignOwnership',
  'TakeOwnership',
]);
export type AlertAction = z.infer<typeof AlertAction>;

/** What an integration may name as a recipient; `all` and `none` stand for everybody and nobody (P11). */
export const RecipientType = oneOf(['user', 'escalation', 'schedule', 'team', 'all', 'none']);
export type RecipientType = z.infer<typeof RecipientType>;

const recipient = z
  .object(
    { type: RecipientType, id: optionalReference(100), name: optionalReference(), username: optionalReference() },
    'should be an object with type and id or name',
  )
  .transform(({ type, id, name, username }, context): RecipientReference => {
    const called = type === 'user' ? (username ?? name) : name;
    const named = id !== undefined || called !== undefined || type === 'all' || type === 'none';
    if (!named) context.addIssue({ code: 'custom', message: 'id or name should be provided' });
    return { type, id, name: called };
  });

/** Whom an integration names: by id, or by name (user name for users); `all` and `none` need neither. */
export interface RecipientReference {
  readonly type: RecipientType;
  readonly id: string | undefined;
  readonly name: string | undefined;
}

const recipients = optional(z.array(recipient, 'should be a list').max(1_000, 'should have at most 1000 items'));

const ownerTeam = optional(
  z.object({ id: optionalReference(100), name: optionalReference() }, 'should be an object with id or name'),
);

const flag = optional(flexibleBoolean);

/** The body of an integration create, type API and its kin (part 1, 4.2; wire facts 5). */
export function createIntegrationBody(extraTypes: readonly string[]): z.ZodType<CreateIntegrationBody> {
  return z.object(
    {
      type: integrationType(extraTypes),
      name: requiredText('Name'),
      enabled: flag,
      ownerTeam,
      allowWriteAccess: flag,
      allowConfigurationAccess: flag,
      ignoreRecipientsFromPayload: flag,
      ignoreTeamsFromPayload: flag,
      ignoreRespondersFromPayload: flag,
      suppressNotifications: flag,
      recipients,
      responders: recipients,
      sendAlertActions: flag,
      alertActions: optional(z.array(AlertAction, 'should be a list').max(1_000, 'should have at most 1000 items')),
    },
    'should be a JSON object',
  );
}

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** What a caller asked for in an integration create, within every limit. Absent flags are left to their defaults. */
export interface CreateIntegrationBody extends Optional<{
  enabled: boolean;
  ownerTeam: { readonly id?: string | undefined; readonly name?: string | undefined };
  allowWriteAccess: boolean;
  allowConfigurationAccess: boolean;
  ignoreRecipientsFromPayload: boolean;
  ignoreTeamsFromPayload: boolean;
  ignoreRespondersFromPayload: boolean;
  suppressNotifications: boolean;
  recipients: readonly RecipientReference[];
  responders: readonly RecipientReference[];
  sendAlertActions: boolean;
  alertActions: readonly AlertAction[];
}> {
  readonly type: string;
  readonly name: string;
}

/** The filters of the integration list; an empty value filters nothing. */
export function integrationListQuery(extraTypes: readonly string[]): z.ZodType<IntegrationListQuery> {
  const known = integrationFilterType(extraTypes);
  return z.object({ type: known, teamId: optionalReference(), teamName: optionalReference() });
}

/** What a list of integrations is narrowed to; whatever is absent narrows nothing. */
export interface IntegrationListQuery {
  readonly type?: string | undefined;
  readonly teamId?: string | undefined;
  readonly teamName?: string | undefined;
}

function integrationFilterType(extra: readonly string[]): z.ZodType<string | undefined> {
  const known = new Set([...API_INTEGRATION_TYPES, ...UNSUPPORTED_TYPES, ...extra].map((type) => type.toLowerCase()));
  return optionalReference().refine(
    (type) => type === undefined || known.has(type.toLowerCase()),
    'is not a known type',
  );
}

/** The body by which a client asks whether its key belongs to an integration of a type (wire facts 5). */
export const AuthenticateIntegrationBody = z.object({ type: requiredText('Type') }, 'should be a JSON object');
export type AuthenticateIntegrationBody = z.infer<typeof AuthenticateIntegrationBody>;
