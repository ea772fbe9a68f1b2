import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { CHART, KUBERNETES_VERSION, renderedText, runHelm, VALUE_SETS, valuesFile } from './testing/rendered.ts';
import { sourceOf } from './testing/sources.ts';

const refusal = async (values: Readonly<Record<string, unknown>>, set = 'minimal'): Promise<string> =>
  renderedText({ set, values }).then(
    () => 'it was taken',
    (error: unknown) => (error as Error).message,
  );

/** What Helm says, in one form: until 3.17 it writes `kafka.brokers:` and `Additional property x`, later `at '/kafka/brokers':` and `additional properties 'x'`. */
const inOneForm = (said: string): string =>
  said
    .replaceAll(/at '\/?([^']*)':/g, (_, pointer: string) => `${pointer.replaceAll('/', '.')}:`)
    .replaceAll(/Additional property (\S+)|additional properties '([^']*)'/g, 'additional $1$2');

describe('the schema names the value', () => {
  test.each([
    ['a word that is not there', { gateways: {} }, 'additional gateways'],
    ['a setting that is not there', { 'kafka.broker': 'kafka:9092' }, 'kafka: additional broker'],
    ['a service that is not there', { 'services.ingest.replicas': 2 }, 'services: additional ingest'],
    ['a broker without its port', { 'kafka.brokers': 'kafka' }, 'kafka.brokers:'],
    ['a login at Kafka that does not exist', { 'kafka.sasl.mechanism': 'gssapi' }, 'kafka.sasl.mechanism:'],
    ['no partitions', { 'kafka.topics.partitions': 0 }, 'kafka.topics.partitions:'],
    ['an address that is not of MongoDB', { 'mongodb.uri': 'http://db' }, 'mongodb.uri:'],
    ['an address that is not of a mail server', { 'smtp.url': 'relay:587' }, 'smtp.url:'],
    ['a login within the address of a mail server', { 'smtp.url': 'smtp://me:hunter2@relay:587' }, 'smtp.url:'],
    ['a sender without an address', { 'smtp.from': 'Tocsin' }, 'smtp.from:'],
    ['a kind of TLS that does not exist', { 'smtp.tls': 'always' }, 'smtp.tls:'],
    ['an unknown provider of text messages', { 'sms.providers': ['telex'] }, 'sms.providers.0:'],
    ['a provider of calls named twice', { 'voice.providers': ['log', 'log'] }, 'voice.providers:'],
    ['replies to calls, which have none', { 'voice.gateway.replyTokenKey': 'token' }, 'voice.gateway:'],
    ['a status that is none', { 'sms.gateway.successStatus': 'ok' }, 'sms.gateway.successStatus:'],
    ['a limit of bundles of no method', { bundleLimits: 'fax=3' }, 'bundleLimits:'],
    ['a rate that is no number', { providerRates: 'sms/twilio=fast' }, 'providerRates:'],
    ['a rate of no provider', { providerRates: 'sms/smtp=1' }, 'providerRates:'],
    ['a rate of nothing', { providerRates: 'voice/http=0' }, 'providerRates:'],
    ['a host without its scheme', { publicUrl: 'tocsin.example.com' }, 'publicUrl:'],
    ['a signing key that is too short', { 'secrets.internalSigningKey': 'short' }, 'secrets.internalSigningKey:'],
    ['an API key that is no UUID', { 'secrets.bootstrapApiKey': 'key' }, 'secrets.bootstrapApiKey:'],
    ['a digest that is none', { 'services.gateway.digest': 'sha256:1' }, 'services.gateway.digest:'],
    ['fewer pods than none', { 'defaults.replicas': -1 }, 'defaults.replicas:'],
    ['a setting of a service in lower case', { 'defaults.env': { log_level: 'debug' } }, 'defaults.env:'],
    ['a level of the log that there is not', { 'defaults.env': { LOG_LEVEL: 'verbose' } }, 'defaults.env.LOG_LEVEL:'],
    ['a locale that is none', { 'account.locale': 'German' }, 'account.locale:'],
    ['an owner without an address', { 'account.ownerEmail': 'ada' }, 'account.ownerEmail:'],
    ['an image without a release', { 'demo.kafka.image': 'apache/kafka' }, 'demo.kafka.image:'],
    ['a longer stop than services allow', { 'services.gateway.stopWaitMs': 9_000 }, 'services.gateway.stopWaitMs:'],
    [
      'a scaler that does not exist',
      { 'services.gateway.autoscaling.by': 'memory' },
      'services.gateway.autoscaling.by:',
    ],
    ['a monitor that does not exist', { 'monitoring.monitor': 'Probe' }, 'monitoring.monitor:'],
    [
      'a way out that is no peer',
      { 'networkPolicy.egress.kafka.to': [{ cidr: '10.0.0.0/8' }] },
      'networkPolicy.egress.kafka.to.0:',
    ],
    ['a way of preparing that does not exist', { 'prepare.mode': 'never' }, 'prepare.mode:'],
    ['a kind of Service without a port', { 'gateway.service.type': 'ExternalName' }, 'gateway.service.type:'],
  ])('of %s', async (_, values, refused) => {
    expect(inOneForm(await refusal(values))).toContain(refused);
  });

  test('and names none that values.yaml does not have', () => {
    const schema = JSON.parse(sourceOf('charts/tocsin/values.schema.json')) as Schema;
    const values = parse(sourceOf('charts/tocsin/values.yaml')) as object;
    expect(unknownTo(values, schema, schema)).toEqual([]);
  });
});

describe('what contradicts itself is refused', () => {
  test.each([
    ['nothing about Kafka', { 'kafka.brokers': '' }, 'minimal', 'kafka.brokers is needed'],
    ['nothing about MongoDB', { 'mongodb.existingSecret': '' }, 'minimal', 'mongodb.existingSecret is needed'],
    ['nowhere to send mails to', { 'smtp.url': '' }, 'minimal', 'smtp.url is needed'],
    [
      'a login at Kafka without a Secret',
      { 'kafka.sasl.mechanism': 'plain' },
      'minimal',
      'kafka.sasl.existingSecret is needed',
    ],
    ['Kafka of two kinds', { 'kafka.brokers': 'kafka:9092' }, 'operators', 'strimzi.enabled says where Kafka is'],
    [
      'MongoDB of two kinds',
      { 'mongodb.existingSecret': 'mine' },
      'operators',
      'mongodbOperator.enabled says where MongoDB is',
    ],
    ['a demo on Strimzi', { 'strimzi.enabled': true }, 'demo', 'it cannot be with strimzi.enabled'],
    [
      'a user of MongoDB without a password',
      { 'mongodbOperator.passwordSecret': '' },
      'operators',
      'mongodbOperator.passwordSecret is needed',
    ],
    ['keys that no Secret would keep', { 'secrets.existingSecret': '' }, 'minimal', 'secrets.existingSecret is needed'],
    [
      'a token among the settings of all services',
      { 'defaults.env': { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter2' } },
      'minimal',
      'defaults.env.OTEL_EXPORTER_OTLP_HEADERS would stand in a ConfigMap',
    ],
    [
      'a password among the settings of one service',
      { 'services.notifier.env': { SMTP_PASSWORD: 'hunter2' } },
      'minimal',
      'services.notifier.env.SMTP_PASSWORD would stand in a ConfigMap',
    ],
    [
      'the address of a gateway, which may hold its key, in the clear',
      { 'services.notifier.env': { SMS_HTTP_URL: 'https://sms.example.com/send?key=hunter2' } },
      'minimal',
      'services.notifier.env.SMS_HTTP_URL would stand in a ConfigMap',
    ],
    [
      'a login in an address in the clear',
      { 'services.notifier.env': { SMTP_URL: 'smtp://tocsin:hunter2@relay.example.com' } },
      'minimal',
      'services.notifier.env.SMTP_URL would stand in a ConfigMap',
    ],
    [
      'another port than that of probes and Services',
      { 'defaults.env': { PORT: 4000 } },
      'minimal',
      'defaults.env.PORT is the port at which probes',
    ],
    [
      'a gateway of calls without an address',
      { 'voice.providers': ['http'] },
      'minimal',
      'voice.gateway.existingSecret is needed for the provider http',
    ],
    [
      'Twilio without an account',
      { 'sms.providers': ['twilio'], 'twilio.from': '+15550100' },
      'minimal',
      'twilio.existingSecret is needed',
    ],
    [
      'Twilio without a number that text messages come from',
      { 'sms.providers': ['twilio'], twilio: { existingSecret: 'twilio', voiceFrom: '+15550100' } },
      'minimal',
      'twilio.from is needed for the provider twilio of sms',
    ],
    [
      'an OpenID provider without the secret of the client',
      { openid: { issuer: 'https://login.example.com', clientId: 'tocsin', domains: ['example.com'] } },
      'minimal',
      'openid.existingSecret is needed with openid.issuer',
    ],
    [
      'an OpenID provider without domains',
      { openid: { issuer: 'https://login.example.com', clientId: 'tocsin', existingSecret: 'openid' } },
      'minimal',
      'openid.domains is needed with openid.issuer',
    ],
    [
      'providers to whom no way leads',
      {
        'sms.providers': ['log', 'http'],
        'sms.gateway.existingSecret': 'sms',
        'networkPolicy.egress.providers.enabled': false,
      },
      'minimal',
      'networkPolicy.enabled lets no message out to the providers',
    ],
    [
      'a setting that no service has',
      { 'defaults.env': { LOG_LEVELS: 'debug' } },
      'minimal',
      'defaults.env.LOG_LEVELS is no setting of any service in docs/operations.md',
    ],
    [
      'a setting of another service',
      { 'services.gateway.env': { ALERT_RETENTION_DAYS: 30 } },
      'minimal',
      'services.gateway.env.ALERT_RETENTION_DAYS is no setting of gateway in docs/operations.md',
    ],
    [
      'a zone that there is not',
      { 'account.timezone': 'Europe/Utopia' },
      'minimal',
      'account.timezone=Europe/Utopia is no time zone',
    ],
    [
      'less memory than the heap of a service',
      { 'services.notifier.resources.limits.memory': '0.25Gi' },
      'minimal',
      'services.notifier.resources.limits.memory is 0.25Gi: the service needs 384Mi',
    ],
    [
      'less memory than what reads mails needs',
      { 'services.alert-ingest.resources.limits.memory': '512M', 'inboundMail.enabled': true },
      'minimal',
      'services.alert-ingest.resources.limits.memory is 512M: the service needs 640Mi',
    ],
    ['two addresses of MongoDB', { 'mongodb.uri': 'mongodb://db' }, 'minimal', 'are two addresses of MongoDB'],
    [
      'keys beside the Secret that has them',
      { 'secrets.bootstrapApiKey': '3f6f2a52-0f3c-4b9e-9d0e-3b6f2f0a9c11' },
      'minimal',
      'secrets.existingSecret has the keys',
    ],
    [
      'an authority for connections that are not encrypted',
      { 'kafka.tls.existingSecret': 'kafka-tls' },
      'minimal',
      'have no effect while kafka.tls.enabled is false',
    ],
    [
      'a login at Kafka that is not used',
      { 'kafka.sasl.existingSecret': 'kafka-login' },
      'minimal',
      'kafka.sasl.existingSecret has no effect without kafka.sasl.mechanism',
    ],
    [
      'a certificate of our own that no Secret has',
      { 'kafka.tls': { enabled: true, clientCertificate: true } },
      'minimal',
      'kafka.tls.existingSecret is needed with kafka.tls.clientCertificate',
    ],
    [
      'a tag that means another release tomorrow',
      { 'image.tag': 'latest' },
      'minimal',
      'image.tag=latest changes with each release',
    ],
    ['the same of the demo', { 'demo.mongodb.image': 'mongo:latest' }, 'demo', 'demo.mongodb.image is another release'],
    ['no copies', { 'kafka.topics.replication': 0 }, 'minimal', 'kafka.topics.replication is the number of copies'],
    [
      'metrics that are read twice',
      { monitoring: { monitor: 'PodMonitor', scrapeAnnotations: true } },
      'minimal',
      'have the same metrics read twice',
    ],
    [
      'traces to which no way leads',
      { 'defaults.env': { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' } },
      'minimal',
      'names a collector that networkPolicy.enabled lets no trace out to',
    ],
    [
      'brokers at a port to which no way leads',
      { 'kafka.brokers': 'kafka:9092,kafka:19092' },
      'minimal',
      'kafka.brokers names the port 19092, which networkPolicy.egress.kafka.ports does not let out to',
    ],
    [
      'a MongoDB at a port to which no way leads',
      { mongodb: { existingSecret: '', uri: 'mongodb://me:secret@db-0:27017,db-1:27018/?replicaSet=rs0' } },
      'minimal',
      'mongodb.uri names the port 27018',
    ],
    ['a mail server at such a port', { 'smtp.url': 'smtp://relay:2525' }, 'minimal', 'smtp.url names the port 2525'],
    [
      'an alert to switch off that there is not',
      { 'monitoring.rules': { enabled: true, disabled: ['TocsinMailRefused'] } },
      'minimal',
      'there is no alert TocsinMailRefused',
    ],
    [
      'fewer pods at most than at least',
      { 'services.gateway.autoscaling': { by: 'cpu', minReplicas: 3, maxReplicas: 2 } },
      'minimal',
      'minReplicas is over maxReplicas',
    ],
  ])('%s', async (_, values, set, refused) => {
    expect(await refusal(values, set)).toContain(refused);
  });
});

test.each(VALUE_SETS)('Helm finds nothing to say about the chart with the values %s', async (set) => {
  const said = await runHelm([
    'lint',
    CHART,
    '--strict',
    '--kube-version',
    KUBERNETES_VERSION,
    '--values',
    valuesFile(set),
  ]);
  expect(said).toContain('1 chart(s) linted, 0 chart(s) failed');
});

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** The paths of what the schema names and `values` does not have. A map that is empty there is filled by the installer. */
function unknownTo(values: unknown, schema: Schema, root: Schema): readonly string[] {
  const { $ref = '' } = schema;
  const { properties = {} } = root.definitions?.[$ref.replace('#/definitions/', '')] ?? schema;
  if (typeof values !== 'object' || values === null || Object.keys(values).length === 0) return [];
  if ($ref.endsWith('/resources')) return [];
  const known = values as Readonly<Record<string, unknown>>;
  return Object.entries(properties).flatMap(([key, below]) =>
    key in known
      ? unknownTo(known[key], below, root).map((rest) => `${key}.${rest}`)
      : $ref.endsWith('/service') && !('replicas' in known)
        ? []
        : [key],
  );
}

describe('a Secret that is not in the cluster', () => {
  /** As in a cluster that has nothing: Helm looks and finds none. */
  const inEmptyCluster = (file: string, ...more: readonly string[]): Promise<string> => {
    const args = ['template', 'tocsin', CHART, '--namespace', 'paging', '--kube-version', KUBERNETES_VERSION];
    const apis = ['--api-versions', 'authorization.k8s.io/v1/SelfSubjectAccessReview'];
    return runHelm([...args, ...apis, '--values', valuesFile(file), ...more]).catch(
      (error: unknown) => (error as Error).message,
    );
  };

  test.each([
    ['minimal', ['tocsin-keys (secrets.existingSecret)', 'tocsin-mongodb (mongodb.existingSecret)']],
    [
      'external-tls-sasl',
      [
        ['tocsin-mongodb (mongodb.existingSecret)', 'mongodb-tls (mongodb.tls.existingSecret)'],
        ['company-ca (extraCaCertificates.existingSecret)', 'kafka-login (kafka.sasl.existingSecret)'],
        ['kafka-tls (kafka.tls.existingSecret)', 'smtp-login (smtp.existingSecret)'],
        ['smtp-tls (inboundMail.tls.existingSecret)'],
      ].flat(),
    ],
    [
      'everything',
      [
        'sms-gateway (sms.gateway.existingSecret)',
        'twilio (twilio.existingSecret)',
        'ntfy (push.existingSecret)',
        'pushover (push.pushover.existingSecret)',
        'telegram (push.telegram.existingSecret)',
        'slack (push.slack.existingSecret)',
        'mattermost (push.mattermost.existingSecret)',
        'openid (openid.existingSecret)',
      ],
    ],
    ['operators', ['tocsin-mongodb-password (mongodbOperator.passwordSecret)']],
    ['restricted', ['registry-login (image.pullSecrets)', 'mirror-login (image.pullSecrets)']],
  ])('is named before anything is applied, with the values %s', async (set, secrets) => {
    const said = await inEmptyCluster(set);
    expect(said).toContain('In the namespace paging there is no Secret');
    for (const secret of secrets) expect(said).toContain(`there is no Secret ${secret}`);
  });

  test('is no trouble where something makes it later, or where Helm cannot look', async () => {
    expect(await inEmptyCluster('minimal', '--set', 'secrets.check=false')).toContain('kind: Deployment');
    expect(await refusal({})).toBe('it was taken');
  });
});
