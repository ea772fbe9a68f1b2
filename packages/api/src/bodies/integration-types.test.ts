import { describe, expect, it } from '@jest/globals';
import { integrationFilterType, integrationKind, integrationType } from './integration-types.ts';

/** The list of P12, as existing clients know it. */
const TYPES =
  `API Email Webhook Airbrake AppDynamics AppSignal AzureMonitor Bitbucket Catchpoint CircleCi CloudWatch CloudWatchEvents
  Datadog Dynatrace Freshdesk Freshservice GitHub GitLab GoogleStackdriver Grafana Graylog Honeybadger Icinga Icinga2 Jenkins Jira
  JiraServiceDesk Kapacitor Kibana Librato Logentries Loggly LogicMonitor Logstash Nagios NagiosXI NewRelic NewRelicV2 NodePing
  Opsview Papertrail Pingdom Prometheus Prtg Raygun Rollbar Scom Sensu Sentry ServiceNow SignalFX Site24x7 Slack SolarWinds Splunk
  StatusCake Statuspage SumoLogic ThousandEyes TravisCI UptimeRobot Wavefront Zabbix Zendesk Zenoss`.split(/\s+/);

describe('a type of integration (P12)', () => {
  it.each(TYPES)('may be %s, in any letter case, and stays as it was written', (type) => {
    for (const spelled of [type, type.toLowerCase(), type.toUpperCase()]) {
      expect(integrationType([]).parse(spelled)).toBe(spelled);
      expect(integrationFilterType([]).parse(spelled)).toBe(spelled);
    }
  });

  it('may be one of the setting, and no other', () => {
    expect(integrationType(['HomeGrown']).parse('homegrown')).toBe('homegrown');
    for (const type of ['HomeGrown', 'Prometheus 2', ''])
      expect(integrationType([]).safeParse(type)).toMatchObject({ success: false });
  });

  it('behaves as API unless it takes mail or calls a URL', () => {
    const kinds = Map.groupBy(TYPES, integrationKind);
    expect(kinds.get('email')).toEqual(['Email']);
    expect(kinds.get('webhook')).toEqual(['Webhook']);
    expect(kinds.get('api')).toHaveLength(TYPES.length - 2);
  });
});
