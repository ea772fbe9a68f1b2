import { kindOf, takesAlerts } from './integration.ts';

/** What to do in a tool so that it sends alerts: a text to copy, and what has to be known of it. */
interface SetUpText {
  readonly tool: string;
  /** What the text is, such as a file. */
  readonly where: string;
  readonly text: string;
  readonly notes: readonly string[];
}

/** What the texts need of an integration. */
export interface SetUpFacts {
  /** Of this installation, such as `https://tocsin.example.com`. */
  readonly origin: string;
  /** The key that was just shown; undefined otherwise, as the server shows it once. */
  readonly apiKey?: string | undefined;
  readonly type: string;
  readonly ownerTeam?: object | undefined;
  readonly emailAddress?: string | undefined;
  readonly allowConfigurationAccess: boolean;
}

/** Stands for a key that is not shown. */
export const YOUR_KEY = 'YOUR-KEY';

/** A command that sends an alert with the key of an integration. */
export function curlOf(origin: string, apiKey: string): string {
  const body = JSON.stringify({ message: 'Hello from curl', priority: 'P3' });
  return [
    `curl -X POST ${origin}/v2/alerts`,
    `-H 'Authorization: GenieKey ${apiKey}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${body}'`,
  ].join(' \\\n  ');
}

/** The texts for an integration, first that of its type. One that posts has none. */
export function setUpTexts(facts: SetUpFacts): readonly SetUpText[] {
  const kind = kindOf(facts.type);
  if (kind === 'mail') return [mailText(facts)];
  if (!takesAlerts(kind)) return [];
  const texts = [curlText(facts), alertmanagerText(facts), grafanaText(facts), terraformText(facts)];
  const own = OWN_TOOL[facts.type.toLowerCase()];
  return texts.toSorted((one, other) => Number(other.tool === own) - Number(one.tool === own));
}

const OWN_TOOL: Readonly<Record<string, string>> = { prometheus: 'Alertmanager', grafana: 'Grafana' };

const keyOf = ({ apiKey = YOUR_KEY }: SetUpFacts): string => apiKey;

const curlText = (facts: SetUpFacts): SetUpText => ({
  tool: 'curl',
  where: 'A command that sends an alert:',
  text: curlOf(facts.origin, keyOf(facts)),
  notes: ['The answer 202 says that the alert is accepted.'],
});

/** With a `source`, because the default one of Alertmanager can be longer than the API takes. */
function alertmanagerText(facts: SetUpFacts): SetUpText {
  const { origin, ownerTeam } = facts;
  return {
    tool: 'Alertmanager',
    where: 'In alertmanager.yml:',
    text: [
      'receivers:',
      '  - name: tocsin',
      '    opsgenie_configs:',
      `      - api_url: ${origin}/`,
      `        api_key: ${keyOf(facts)}`,
      "        message: '{{ .CommonLabels.alertname }}'",
      '        priority: \'{{ if eq .CommonLabels.severity "page" }}P1{{ else }}P3{{ end }}\'',
      '        source: Alertmanager',
      ...(ownerTeam === undefined ? ['        responders: [{ type: team, name: YOUR-TEAM }]'] : []),
      '        update_alerts: true',
    ].join('\n'),
    notes: ['Name the receiver tocsin in a route. A group that is resolved closes its alert.'],
  };
}

function grafanaText(facts: SetUpFacts): SetUpText {
  return {
    tool: 'Grafana',
    where: 'In a file of provisioning/alerting, or the same two values in a contact point of type Opsgenie:',
    text: [
      'apiVersion: 1',
      'contactPoints:',
      '  - name: Tocsin',
      '    receivers:',
      '      - uid: tocsin',
      '        type: opsgenie',
      '        settings:',
      `          apiKey: ${keyOf(facts)}`,
      `          apiUrl: ${facts.origin}/v2/alerts`,
    ].join('\n'),
    notes: ['Use the contact point in a notification policy. An alert rule that is resolved closes its alert.'],
  };
}

function terraformText(facts: SetUpFacts): SetUpText {
  const { host, protocol } = new URL(facts.origin);
  const called = host.includes('api') ? 'https:' : 'http:';
  return {
    tool: 'Terraform',
    where: 'The provider opsgenie/opsgenie, which manages teams, schedules and the like:',
    text: ['provider "opsgenie" {', `  api_url = "${host}"`, `  api_key = "${keyOf(facts)}"`, '}'].join('\n'),
    notes: [
      ...(facts.allowConfigurationAccess
        ? []
        : ['The key of this integration may not change the configuration: Change gives it that right.']),
      ...(called === protocol
        ? []
        : [
            `The provider calls https where the host has “api” in its name, else http. Here it calls ${called}//${host}, and this page is at ${protocol}//: give the provider a host name that fits.`,
          ]),
    ],
  };
}

const mailText = ({ emailAddress = '' }: SetUpFacts): SetUpText => ({
  tool: 'Mail',
  where: 'A command that sends a mail, on a machine that can:',
  text: `echo 'The disk of db-1 is full' | mail -s 'Disk full' ${emailAddress}`,
  notes: [
    'The subject becomes the message, the text the description, and the sender the source.',
    'Mails of one conversation count as one alert while it is open.',
  ],
});
