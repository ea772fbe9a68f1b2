import { blankIsAbsent, requiredText, text } from '@tocsin/events';
import type { z } from 'zod';

/** Integration types that behave as API ones: holders of a key (P12). */
const API_TYPES = [
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

/** The functions of a type of integration besides its key: it receives mail, or calls a URL about alerts (P10, P12). */
export type IntegrationKind = 'api' | 'email' | 'webhook';

/** How integrations of `type` behave; a type that is neither Email nor Webhook, in any letter case, behaves as API (P12). */
export function integrationKind(type: string): IntegrationKind {
  const lower = type.trim().toLowerCase();
  return lower === 'email' || lower === 'webhook' ? lower : 'api';
}

const knownTypes = (extra: readonly string[]): readonly string[] => [...API_TYPES, 'Email', 'Webhook', ...extra];

const lowerCased = (types: readonly string[]): ReadonlySet<string> => new Set(types.map((type) => type.toLowerCase()));

const MORE_BY_SETTING = 'In any letter case. The installation may know more by its settings.';

/**
 * A type of integration, compared without regard to case and answered as written (P12). `extra` are the types of the
 * setting `EXTRA_INTEGRATION_TYPES`.
 */
export function integrationType(extra: readonly string[]): z.ZodType<string> {
  const types = knownTypes(extra);
  const known = lowerCased(types);
  return requiredText('Type')
    .superRefine((type, context) => {
      if (known.has(type.toLowerCase())) return;
      context.addIssue({ code: 'custom', message: `[${type}] is not a known type` });
    })
    .meta({ enum: types, description: MORE_BY_SETTING });
}

/** A type to filter by, compared without regard to case; an empty one filters nothing. */
export function integrationFilterType(extra: readonly string[]): z.ZodType<string | undefined> {
  const types = knownTypes(extra);
  const known = lowerCased(types);
  return blankIsAbsent(
    text()
      .refine((type) => known.has(type.toLowerCase()), 'is not a known type')
      .meta({ enum: types, description: MORE_BY_SETTING }),
  );
}
