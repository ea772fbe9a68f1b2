import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { CHART, KUBERNETES_VERSION, renderedText, runHelm, VALUE_SETS, valuesFile } from './testing/rendered.ts';
import { sourceOf } from './testing/sources.ts';

const refusal = async (values: Readonly<Record<string, unknown>>, set = 'minimal'): Promise<string> =>
  renderedText({ set, values }).then(
    () => 'it was taken',
    (error: unknown) => (error as Error).message,
  );

describe('the schema names the value', () => {
  test.each([
    ['a word that is not there', { gateways: {} }, "'gateways' not allowed"],
    ['a setting that is not there', { 'kafka.broker': 'kafka:9092' }, "'/kafka': additional properties 'broker'"],
    ['a service that is not there', { 'services.ingest.replicas': 2 }, "'/services': additional properties 'ingest'"],
    ['a broker without its port', { 'kafka.brokers': 'kafka' }, '/kafka/brokers'],
    ['a login at Kafka that does not exist', { 'kafka.sasl.mechanism': 'gssapi' }, '/kafka/sasl/mechanism'],
    ['no partitions', { 'kafka.topics.partitions': 0 }, '/kafka/topics/partitions'],
    ['no copies', { 'kafka.topics.replication': 0 }, '/kafka/topics/replication'],
    ['an address that is not of MongoDB', { 'mongodb.uri': 'http://db' }, '/mongodb/uri'],
    ['an address that is not of a mail server', { 'smtp.url': 'relay:587' }, '/smtp/url'],
    ['a login within the address of a mail server', { 'smtp.url': 'smtp://me:hunter2@relay:587' }, '/smtp/url'],
    ['a sender without an address', { 'smtp.from': 'Tocsin' }, '/smtp/from'],
    ['a kind of TLS that does not exist', { 'smtp.tls': 'always' }, '/smtp/tls'],
    ['somebody unknown who carries text messages', { 'sms.providers': ['telex'] }, '/sms/providers/0'],
    ['somebody who is to carry calls twice', { 'voice.providers': ['log', 'log'] }, '/voice/providers'],
    ['replies to calls, which have none', { 'voice.gateway.replyTokenKey': 'token' }, '/voice/gateway'],
    ['a status that is none', { 'sms.gateway.successStatus': 'ok' }, '/sms/gateway/successStatus'],
    ['a limit of bundles of no method', { bundleLimits: 'fax=3' }, '/bundleLimits'],
    ['a rate that is no number', { providerRates: 'sms/twilio=fast' }, '/providerRates'],
    ['a rate of no provider', { providerRates: 'sms/smtp=1' }, '/providerRates'],
    ['a rate of nothing', { providerRates: 'voice/http=0' }, '/providerRates'],
    ['a host without its scheme', { publicUrl: 'tocsin.example.com' }, '/publicUrl'],
    ['a signing key that is too short', { 'secrets.internalSigningKey': 'short' }, '/secrets/internalSigningKey'],
    ['an API key that is no UUID', { 'secrets.bootstrapApiKey': 'key' }, '/secrets/bootstrapApiKey'],
    ['a tag that means another release tomorrow', { 'image.tag': 'latest' }, '/image/tag'],
    ['a digest that is none', { 'services.gateway.digest': 'sha256:1' }, '/services/gateway/digest'],
    ['fewer pods than none', { 'defaults.replicas': -1 }, '/defaults/replicas'],
    ['a setting of a service in lower case', { 'defaults.env': { log_level: 'debug' } }, '/defaults/env'],
    ['a longer stop than services allow', { 'services.gateway.stopWaitMs': 9_000 }, '/services/gateway/stopWaitMs'],
    [
      'a scaler that does not exist',
      { 'services.gateway.autoscaling.by': 'memory' },
      '/services/gateway/autoscaling/by',
    ],
    ['a monitor that does not exist', { 'monitoring.monitor': 'Probe' }, '/monitoring/monitor'],
    [
      'a way out that is no peer',
      { 'networkPolicy.egress.kafka.to': [{ cidr: '10.0.0.0/8' }] },
      '/networkPolicy/egress/kafka/to/0',
    ],
    ['a way of preparing that does not exist', { 'prepare.mode': 'never' }, '/prepare/mode'],
    ['a kind of Service without a port', { 'gateway.service.type': 'ExternalName' }, '/gateway/service/type'],
  ])('of %s', async (_, values, told) => {
    expect(await refusal(values)).toContain(told);
  });

  test('and names none that values.yaml does not have', () => {
    const schema = JSON.parse(sourceOf('charts/tocsin/values.schema.json')) as Schema;
    const values = parse(sourceOf('charts/tocsin/values.yaml')) as object;
    expect(unknownTo(values, schema, schema).filter((key) => key !== 'global')).toEqual([]);
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
    ['keys that nobody would keep', { 'secrets.existingSecret': '' }, 'minimal', 'secrets.existingSecret is needed'],
    [
      'a token among what all services are told in the clear',
      { 'defaults.env': { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter2' } },
      'minimal',
      'defaults.env.OTEL_EXPORTER_OTLP_HEADERS would stand in a ConfigMap',
    ],
    [
      'a password among what one service is told in the clear',
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
      'a gateway of calls that nobody knows the address of',
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
      'providers to whom no way leads',
      { 'sms.providers': ['log', 'http'], 'sms.gateway.existingSecret': 'sms', 'networkPolicy.enabled': true },
      'minimal',
      'networkPolicy.enabled lets no message out to the providers',
    ],
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
  ])('%s', async (_, values, set, told) => {
    expect(await refusal(values, set)).toContain(told);
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

/** The paths of what the schema names and `values` does not have. A map that is empty there is filled by whoever installs. */
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
