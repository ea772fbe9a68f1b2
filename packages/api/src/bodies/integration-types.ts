import { blankIsAbsent, type ChatProvider, requiredText, text } from '@tocsin/events';
import type { z } from 'zod';

const words = (list: string): readonly string[] => list.trim().split(/\s+/);

/* cspell:disable */
/** The types that existing clients know, most of them named after a tool (P12). */
const TYPES = words(`
  API Airbrake AlertLogic AlertSite AmazonCloudTrail AmazonEc2AutoScaling AmazonRds AmazonRoute53HealthCheck
  AmazonSecurityHub AmazonSes AmazonSns AmazonSnsOutgoing Apica Apimetrics AppDynamics AppOptics AppSignal AppSignalV2
  Atatus AtlassianBambooEmail AutoTaskEmail AutotaskAEMEmail Azure AzureAutoScale AzureOMS AzureResourceHealth
  AzureServiceHealth BMCFootPrintsV11 BMCFootPrintsV12 BMCRemedy BMCRemedyForce BMCRemedyOnDemand BigPanda Bitbucket
  BlueMatador Boundary Campfire Catchpoint CheckMK Cherwell CircleCi Circonus CloudMonix CloudSploit CloudWatch
  CloudWatchEvents Codeship Compose ConnectWise ConnectWiseAutomate ConnectWiseManage ConnectWiseManageV2 Consul CopperEgg
  Crashlytics DNSCheck Datadog DataloopIO Desk Detectify DripStat DynatraceAppMon DynatraceV2 ESWatcher Email Errorception
  EvidentIO Flock Flowdock FlowdockV2 Freshdesk Freshservice GhostInspector GitHub GitLab GoogleStackdriver Grafana
  GrafanaV2 Graylog HPServiceManager Heartbeat HipChat HipChatAddOn HipChatV2 Honeybadger HostedGraphite Humio Icinga
  Icinga2 IncomingCall Instana Jenkins Jira JiraServiceDesk Kapacitor Kayako Kore LabTechEmail Librato LibreNMS Lightstep
  Logentries Loggly LogicMonitor Logstash LogzIO Looker Loom MSTeams MSTeamsV2 Magentrix ManageEngine Marid Mattermost
  MongoDBCloud Monitis MonitisEmail Moxtra Nagios NagiosV2 NagiosXI NagiosXIV2 Netuitive NeustarEmail NewRelic NewRelicV2
  NewRelicSyntheticsEmail NodePing OEC OEM OEMEmail OP5 Observium ObserviumV2 OpsDash OpsGenie Opsview
  PagerDutyCompatibility Panopta Papertrail Pingdom PingdomV2 PingdomWebhook Pingometer Planio Prometheus Prtg Rackspace
  Raygun RedGateSqlMonitorEmail Riemann Rigor RingCentralEmail RingCentralGlip Rollbar Runscope Ruxit SCOM
  SalesForceServiceCloud SaltStack Scalyr Scout SematextSpm Sensu Sentry ServerDensity ServerGuard24 ServiceNow ServiceNowV2
  ServiceNowV3 SignalFXV2 SignalSciences Signalfx Site24x7 Slack SlackApp Soasta SolarWindsWebHelpDesk Solarwinds
  SolarwindsMSPNCentral Splunk SplunkITSI StackStorm Stackdriver StatusCake StatusHub StatusIO StatusPageIO Statusy
  StruxureWare SumoLogic SysdigCloud ThousandEyes ThreatStack Thundra Tideways Trace TrackIt TravisCI Twilio UpdownIO
  UptimeRobot UptimeRobotEmail UptimeWebhook UptrendsEmail VCSA VCenter VividCortex Wavefront Webhook WhatsUpGold Workato
  XLRelease Xmpp Zabbix Zapier Zendesk Zenoss ZyrionEmail`);
/* cspell:enable */

/** Types that Tocsin added. */
const OWN_TYPES = ['AzureMonitor', 'Discord', 'Dynatrace', 'GoogleChat', 'Kibana', 'Statuspage', 'Telegram'];

/** The functions of a type of integration besides its key: it takes mail, calls a URL about alerts, or posts in a chat (P10, P12, P22). */
export const INTEGRATION_KINDS = ['api', 'email', 'webhook', 'chat'] as const;
export type IntegrationKind = (typeof INTEGRATION_KINDS)[number];

/** The types whose channels follow alerts (P22). */
export const CHAT_TYPES: Readonly<Record<string, ChatProvider>> = {
  Slack: 'slack',
  SlackApp: 'slack',
  Mattermost: 'mattermost',
  Telegram: 'telegram',
  Discord: 'discord',
  MSTeams: 'teams',
  MSTeamsV2: 'teams',
  GoogleChat: 'google-chat',
};
const CHAT_PROVIDER_OF = new Map(Object.entries(CHAT_TYPES).map(([type, provider]) => [type.toLowerCase(), provider]));

/** The product of a type of chat, in any letter case; undefined of other types. */
export const chatProviderOf = (type: string): ChatProvider | undefined =>
  CHAT_PROVIDER_OF.get(type.trim().toLowerCase());

/** Whether existing clients make integrations of this type of chat without a URL: these post nothing. */
export const isUsedWithoutUrl = (type: string): boolean => /^msteams(v2)?$/i.test(type.trim());

/** Types of integrations that take mail. */
const EMAIL_TYPE = /email$/i;

/** How integrations of `type`, in any letter case, behave: as API where it is neither Webhook nor a chat nor ends in Email (P12). */
export function integrationKind(type: string): IntegrationKind {
  if (EMAIL_TYPE.test(type.trim())) return 'email';
  if (chatProviderOf(type) !== undefined) return 'chat';
  return type.trim().toLowerCase() === 'webhook' ? 'webhook' : 'api';
}

const knownTypes = (extra: readonly string[]): readonly string[] => [...TYPES, ...OWN_TYPES, ...extra];

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
