import { describe, expect, test } from '@jest/globals';
import { readSettings } from './settings.ts';

const ROOT = '/repository';

describe('readSettings', () => {
  test('needs nothing: every setting has a default', () => {
    expect(readSettings({}, [], ROOT)).toEqual({
      settings: {
        gatewayHost: '127.0.0.1',
        gatewayPort: 8080,
        dataFolder: '/repository/.tocsin',
        apiKey: undefined,
        ownerEmail: 'owner@example.com',
        smtpUrl: undefined,
        kafkaBrokers: undefined,
        mongoUri: undefined,
        topicPrefix: '',
        databasePrefix: 'tocsin_',
        account: { name: 'Tocsin', timeZone: 'UTC', locale: 'en_US' },
        demo: true,
      },
    });
  });

  test('has an owner with the demo and without it, whom OWNER_EMAIL can name', () => {
    expect(readSettings({}, ['--no-demo'], ROOT)).toMatchObject({ settings: { ownerEmail: 'owner@example.com' } });
    const named = { OWNER_EMAIL: 'ada@example.com' };
    expect(readSettings(named, [], ROOT)).toMatchObject({ settings: { ownerEmail: 'ada@example.com' } });
  });

  test('takes every setting that is given', () => {
    const environment = {
      TOCSIN_BIND: '192.0.2.7',
      GATEWAY_PORT: '18080',
      TOCSIN_DATA: '/elsewhere',
      BOOTSTRAP_API_KEY: '0b5c5c0e-5c2b-4b5a-9d43-3a0c3f1d9c11',
      OWNER_EMAIL: 'owner@example.com',
      SMTP_URL: 'smtps://user:secret@mail.example.com:465',
      SMTP_PORT: '2525',
      KAFKA_BROKERS: 'one:9092,two:9092',
      MONGODB_URI: 'mongodb://db:27017/?replicaSet=rs0',
      KAFKA_TOPIC_PREFIX: 'a.',
      MONGODB_DATABASE_PREFIX: 'a_',
      ACCOUNT_NAME: 'Ops',
      ACCOUNT_TIMEZONE: 'Europe/Berlin',
      ACCOUNT_LOCALE: 'de_DE',
    };

    expect(readSettings(environment, ['--no-demo'], ROOT)).toEqual({
      settings: {
        gatewayHost: '192.0.2.7',
        gatewayPort: 18080,
        dataFolder: '/elsewhere',
        apiKey: environment.BOOTSTRAP_API_KEY,
        ownerEmail: 'owner@example.com',
        smtpUrl: environment.SMTP_URL,
        mailPort: 2525,
        kafkaBrokers: 'one:9092,two:9092',
        mongoUri: environment.MONGODB_URI,
        topicPrefix: 'a.',
        databasePrefix: 'a_',
        account: { name: 'Ops', timeZone: 'Europe/Berlin', locale: 'de_DE' },
        demo: false,
      },
    });
  });

  test.each([
    [{}, [], true],
    [{}, ['--no-demo'], false],
    [{ npm_config_demo: '' }, [], false],
  ])('with %j and the arguments %j the demo is wanted: %s', (environment, args, demo) => {
    expect(readSettings(environment, args, ROOT)).toMatchObject({ settings: { demo } });
  });

  test('treats an empty variable as absent', () => {
    expect(readSettings({ GATEWAY_PORT: '', SMTP_URL: ' ' }, [], ROOT)).toEqual(readSettings({}, [], ROOT));
  });

  test.each([
    ['TOCSIN_BIND', 'localhost'],
    ['TOCSIN_BIND', '::1'],
    ['GATEWAY_PORT', '0'],
    ['GATEWAY_PORT', '65536'],
    ['GATEWAY_PORT', '80a'],
    ['BOOTSTRAP_API_KEY', 'secret'],
    ['OWNER_EMAIL', 'unknown'],
    ['SMTP_URL', 'mail.example.com'],
    ['SMTP_PORT', '0'],
    ['KAFKA_BROKERS', 'localhost'],
    ['MONGODB_URI', 'localhost:27017'],
    ['ACCOUNT_TIMEZONE', 'Europe/Nowhere'],
    ['ACCOUNT_TIMEZONE', 'IST'],
  ])('names %s when its value is %j', (name, value) => {
    const result = readSettings({ [name]: value }, [], ROOT);

    expect(result).toEqual({ problems: [expect.stringContaining(name)] });
  });

  test.each(['BOOTSTRAP_API_KEY', 'MONGODB_URI', 'SMTP_URL'])(
    'does not repeat a wrong %s, which may be a secret',
    (name) => {
      expect(JSON.stringify(readSettings({ [name]: 'hunter2' }, [], ROOT))).not.toContain('hunter2');
    },
  );

  test('takes TLS and a login for a Kafka of the caller, and refuses them for that of the installation', () => {
    const secured = { KAFKA_SSL: 'true', KAFKA_SASL_USERNAME: 'tocsin' };

    expect(readSettings({ ...secured, KAFKA_BROKERS: 'one:9093' }, [], ROOT)).toHaveProperty('settings');
    expect(readSettings(secured, [], ROOT)).toEqual({
      problems: [expect.stringMatching(/^KAFKA_SSL, KAFKA_SASL_USERNAME: .*KAFKA_BROKERS/)],
    });
  });

  test('reports every problem at once, an unknown option too', () => {
    const result = readSettings({ GATEWAY_PORT: 'x', OWNER_EMAIL: 'y' }, ['--nodemo'], ROOT);

    expect(result).toEqual({
      problems: [
        expect.stringContaining('--nodemo'),
        expect.stringContaining('GATEWAY_PORT'),
        expect.stringContaining('OWNER_EMAIL'),
      ],
    });
  });
});
