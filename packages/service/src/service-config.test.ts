import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { configProblems, serviceConfig } from './service-config.ts';

const enough = {
  KAFKA_BROKERS: 'one:9092, two:9092',
  MONGODB_URI: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
  INTERNAL_SIGNING_KEY: 'x'.repeat(32),
};

describe('serviceConfig', () => {
  it('turns the environment into typed names with sane defaults', () => {
    const config = serviceConfig({ SMTP_URL: z.url(), RETENTION_DAYS: z.coerce.number().default(365) }).parse({
      ...enough,
      SMTP_URL: 'smtp://127.0.0.1:1025',
      UNRELATED: 'x',
    });
    expect(config).toMatchObject({ smtpUrl: 'smtp://127.0.0.1:1025', retentionDays: 365 });
    expect(config.common).toMatchObject({
      port: 3_000,
      adminHost: '127.0.0.1',
      kafkaBrokers: ['one:9092', 'two:9092'],
      databasePrefix: 'tocsin_',
      refusedRetentionDays: 30,
      sessionTimeoutMs: 6_000,
      serviceUrls: { directory: 'http://directory:3000' },
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it.each([
    ['http://db:27017', 'MONGODB_URI: Invalid scheme'],
    ['mongodb://db/?replicaSet=rs0&retries=3', 'MONGODB_URI: option retries is not supported'],
    ['mongodb://tocsin:hunter2/x@db', 'MONGODB_URI: Password contains unescaped characters'],
    ['mongodb://tocsin:hunter2', 'MONGODB_URI: has a host or an option that the driver does not take'],
  ])('refuses %s, which no MongoDB could answer, and quotes none of it', (uri, problem) => {
    const { error } = serviceConfig({}).safeParse({ ...enough, MONGODB_URI: uri });
    const problems = configProblems(error ?? new z.ZodError([]));
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems.join()).not.toContain('hunter2');
  });

  it.each([
    'mongodb://none.invalid',
    'mongodb://a:27017,b:27017/?replicaSet=rs0',
    'mongodb+srv://u:p@db.example.com/?tls=true',
  ])('takes %s', (MONGODB_URI) => {
    expect(serviceConfig({}).safeParse({ ...enough, MONGODB_URI }).success).toBe(true);
  });

  it('reports every problem at once, each with the name of its variable', () => {
    const result = serviceConfig({ SMTP_URL: z.url() }).safeParse({
      KAFKA_BROKERS: '',
      PORT: 'http',
      INTERNAL_SIGNING_KEY: 'short',
    });
    expect(result.success).toBe(false);
    const problems = configProblems(result.error ?? new z.ZodError([])).join('\n');
    for (const name of ['KAFKA_BROKERS', 'MONGODB_URI', 'INTERNAL_SIGNING_KEY', 'PORT', 'SMTP_URL'])
      expect(problems).toContain(`${name}: `);
  });

  it('takes TLS and a login for Kafka, and reports what is wrong with them beside everything else', () => {
    const login = {
      KAFKA_SASL_MECHANISM: 'scram-sha-512',
      KAFKA_SASL_USERNAME: 'tocsin',
      KAFKA_SASL_PASSWORD: 'a secret',
    };
    expect(serviceConfig({}).parse({ ...enough, ...login, KAFKA_SSL: 'true' }).common.kafkaSecurity).toEqual({
      ssl: {},
      sasl: { mechanism: 'scram-sha-512', username: 'tocsin', password: 'a secret' },
    });
    const wrong = { ...enough, PORT: 'http', KAFKA_SSL: 'yes', KAFKA_SASL_PASSWORD: 'a secret' };
    const problems = configProblems(serviceConfig({}).safeParse(wrong).error ?? new z.ZodError([])).join('\n');
    for (const name of ['PORT', 'KAFKA_SSL', 'KAFKA_SASL_MECHANISM']) expect(problems).toContain(name);
    expect(problems).not.toContain('a secret');
  });

  it('leaves out the empty end of a list of brokers, and refuses what is no address of a broker', () => {
    const parse = (brokers: string) => serviceConfig({}).safeParse({ ...enough, KAFKA_BROKERS: brokers });
    expect(parse('one:9092, two:9092,').data?.common.kafkaBrokers).toEqual(['one:9092', 'two:9092']);
    for (const wrong of [
      ',',
      'one',
      'one:9092,two',
      'one:port',
      'one:0',
      'one:65536',
      'kafka://one:9092',
      'one:9092 two:9092',
    ])
      expect(configProblems(parse(wrong).error ?? new z.ZodError([]))).toEqual([
        'KAFKA_BROKERS: should be host:port[,host:port…]',
      ]);
  });

  it('accepts two signing keys while they rotate, and no third', () => {
    const keys = (count: number) => ({ ...enough, INTERNAL_SIGNING_KEY: Array(count).fill('x'.repeat(32)).join(',') });
    expect(serviceConfig({}).parse(keys(2)).common.signingKeys).toHaveLength(2);
    expect(serviceConfig({}).safeParse(keys(3)).success).toBe(false);
  });
});
