import fs from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { SERVICES as EVERY_SERVICE } from '@tocsin/events';
import { environmentOf, flagsOf, nicenessOf, SERVICES, type ServiceName, type ServicePorts } from './service-plan.ts';
import { readSettings, type Settings } from './settings.ts';

const { settings } = readSettings({ OWNER_EMAIL: 'owner@example.com' }, [], '/repository') as { settings: Settings };
const installation = {
  settings,
  secrets: {
    apiKey: 'the key',
    signingKey: 'the signing key',
    mongoKey: 'the key of MongoDB',
    vapidPrivateKey: 'the key of push messages',
  },
  surroundings: {
    kafkaBrokers: 'k:1',
    mongoUriOf: (service: ServiceName) => `mongodb://${service}@m:1`,
    smtpUrl: 'smtp://s:1',
    mailPort: 25,
  },
};
const ports = new Map<ServiceName, ServicePorts>(
  SERVICES.map((service, index) => [service, { port: 21_000 + index, adminPort: 22_000 + index }]),
);

test('every service is started', () => {
  expect(SERVICES).toEqual(EVERY_SERVICE);
});

test('the services that accept have more of the processor than all others, which have the same', () => {
  const ofOthers = SERVICES.filter((service) => !['gateway', 'alert-ingest'].includes(service)).map(nicenessOf);
  expect(new Set(ofOthers).size).toBe(1);
  for (const service of ['gateway', 'alert-ingest'] as const)
    expect(nicenessOf(service)).toBeLessThan(Math.min(...ofOthers));
});

describe('environmentOf', () => {
  test('gives a service its own two ports and the address of every service', () => {
    expect(environmentOf('alert-ingest', ports, installation, {})).toMatchObject({
      PORT: '21002',
      ADMIN_PORT: '22002',
      ALERT_INGEST_URL: 'http://127.0.0.1:21002',
      HEARTBEAT_MONITOR_URL: 'http://127.0.0.1:21004',
      GATEWAY_URL: 'http://127.0.0.1:21006',
    });
  });

  test('has every service listen on loopback, whatever is inherited', () => {
    const inherited = { HOST: '0.0.0.0' };
    for (const service of SERVICES)
      expect(environmentOf(service, ports, installation, inherited)).toMatchObject({ HOST: '127.0.0.1' });
  });

  test.each([
    ['0.0.0.0', '127.0.0.1'],
    ['192.0.2.7', '192.0.2.7'],
  ])('has the gateway alone listen at %s, where the others and links reach it by %s', (gatewayHost, called) => {
    const bound = { ...installation, settings: { ...settings, gatewayHost } };
    for (const service of SERVICES)
      expect(environmentOf(service, ports, bound, {})).toMatchObject({
        HOST: service === 'gateway' ? gatewayHost : '127.0.0.1',
        GATEWAY_URL: `http://${called}:21006`,
        DIRECTORY_URL: 'http://127.0.0.1:21000',
      });
    expect(environmentOf('notifier', ports, bound, {})).toMatchObject({ PUBLIC_URL: `http://${called}:21006` });
  });

  test('gives every service the engines, the signing key and the account', () => {
    for (const service of SERVICES) {
      expect(environmentOf(service, ports, installation, {})).toMatchObject({
        KAFKA_BROKERS: 'k:1',
        MONGODB_URI: `mongodb://${service}@m:1`,
        MONGODB_DATABASE_PREFIX: 'tocsin_',
        INTERNAL_SIGNING_KEY: 'the signing key',
        ACCOUNT_TIMEZONE: 'UTC',
      });
    }
  });

  test('gives the gateway alone the path of the script of the API page', () => {
    const { DOCS_PAGE_SCRIPT: script } = environmentOf('gateway', ports, installation, {});
    expect(fs.readFileSync(script ?? '', 'utf8')).toContain('createApiReference');
    expect(environmentOf('directory', ports, installation, {})).not.toHaveProperty('DOCS_PAGE_SCRIPT');
  });

  test('lets links in messages lead to this machine, unless the caller says where they lead', () => {
    const publicUrl = (service: ServiceName, inherited = {}) =>
      environmentOf(service, ports, installation, inherited)['PUBLIC_URL'];
    expect([publicUrl('notifier'), publicUrl('gateway')]).toEqual(['http://127.0.0.1:21006', undefined]);
    const inherited = { PUBLIC_URL: 'https://tocsin.example.com' };
    expect([publicUrl('notifier', inherited), publicUrl('gateway', inherited)]).toEqual([
      inherited.PUBLIC_URL,
      inherited.PUBLIC_URL,
    ]);
  });

  test.each([
    ['BOOTSTRAP_API_KEY', 'alert-ingest', 'the key'],
    ['SMTP_PORT', 'alert-ingest', '25'],
    ['OWNER_EMAIL', 'directory', 'owner@example.com'],
    ['SMTP_URL', 'notifier', 'smtp://s:1'],
    ['SMTP_USERNAME', 'notifier', 'of the caller'],
    ['SMTP_PASSWORD', 'notifier', 'of the caller'],
    ['TWILIO_AUTH_TOKEN', 'notifier', 'of the caller'],
    ['SMS_HTTP_HEADERS', 'notifier', 'of the caller'],
    ['PUSH_TOKEN', 'notifier', 'of the caller'],
    ['PUSHOVER_TOKEN', 'notifier', 'of the caller'],
    ['TELEGRAM_BOT_TOKEN', 'notifier', 'of the caller'],
    ['SLACK_BOT_TOKEN', 'notifier', 'of the caller'],
    ['MATTERMOST_BOT_TOKEN', 'notifier', 'of the caller'],
    ['OPENID_CLIENT_SECRET', 'directory', 'of the caller'],
    ['SMS_HTTP_REPLY_TOKEN', 'notifier', 'of the caller'],
  ] as const)('gives %s to %s alone, wherever it was set', (name, service, value) => {
    const inherited = { [name]: 'of the caller' };
    const knowing = SERVICES.filter((each) => name in environmentOf(each, ports, installation, inherited));

    expect(knowing).toEqual([service]);
    expect(environmentOf(service, ports, installation, inherited)[name]).toBe(value);
  });

  test('passes other settings of the caller on, and the flags of its own Node not', () => {
    const inherited = { INGEST_ON_EXCESS: 'truncate', NODE_OPTIONS: '--inspect', PORT: '1' };

    expect(environmentOf('gateway', ports, installation, inherited)).toMatchObject({
      INGEST_ON_EXCESS: 'truncate',
      NODE_OPTIONS: undefined,
      PORT: '21006',
    });
  });

  test('refuses a service without ports', () => {
    expect(() => environmentOf('gateway', new Map(), installation, {})).toThrow('gateway has no ports');
  });
});

describe('flagsOf', () => {
  test('runs every service from its sources, with room for short-lived objects on the hot path', () => {
    for (const service of SERVICES) expect(flagsOf(service)).toContain('--conditions=source');
    expect(SERVICES.filter((service) => flagsOf(service).includes('--max-semi-space-size=32'))).toEqual([
      'alert-ingest',
      'alert-processor',
      'gateway',
    ]);
  });
});
