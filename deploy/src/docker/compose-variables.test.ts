import { describe, expect, test } from '@jest/globals';
import { passwordVariables } from '../mongo-users.ts';
import { readSettings, type Settings } from '../settings.ts';
import { composeVariables, dockerProblems, USUAL_PORTS } from './compose-variables.ts';

const SECRETS = {
  apiKey: '0b5c5c0e-5c2b-4b5a-9d43-3a0c3f1d9c11',
  signingKey: 's'.repeat(43),
  mongoKey: 'm'.repeat(64),
};

function settingsOf(environment: Readonly<Record<string, string>>): Settings {
  return (readSettings(environment, [], '/repository') as { settings: Settings }).settings;
}

function variablesOf(environment: Readonly<Record<string, string>>, kept = {}): Readonly<Record<string, string>> {
  return composeVariables('/repository', settingsOf(environment), SECRETS, USUAL_PORTS, kept);
}

describe('composeVariables', () => {
  test('names the files, the secrets and the ports', () => {
    expect(variablesOf({ GATEWAY_PORT: '18080' })).toEqual({
      COMPOSE_PROJECT_NAME: expect.stringMatching(/^tocsin-[0-9a-f]{8}$/),
      COMPOSE_FILE: '/repository/deploy/compose.yaml',
      INTERNAL_SIGNING_KEY: SECRETS.signingKey,
      BOOTSTRAP_API_KEY: SECRETS.apiKey,
      MONGODB_KEY: SECRETS.mongoKey,
      ...passwordVariables(SECRETS.mongoKey),
      TOCSIN_BIND: '127.0.0.1',
      GATEWAY_PORT: '18080',
      MAILBOX_PORT: '8025',
      PROMETHEUS_PORT: '9090',
      GRAFANA_PORT: '3000',
    });
  });

  test('gives two data folders projects of their own', () => {
    const projects = ['/a', '/b'].map((TOCSIN_DATA) => variablesOf({ TOCSIN_DATA })['COMPOSE_PROJECT_NAME']);

    expect(new Set(projects).size).toBe(2);
  });

  test('keeps the project of an earlier start, whose volumes hold the data', () => {
    expect(variablesOf({ TOCSIN_DATA: '/moved' }, { COMPOSE_PROJECT_NAME: 'tocsin-earlier' })).toMatchObject({
      COMPOSE_PROJECT_NAME: 'tocsin-earlier',
    });
  });

  test('publishes the port for mail only where one is named', () => {
    expect(variablesOf({ SMTP_PORT: '2525' })).toMatchObject({
      COMPOSE_FILE: expect.stringMatching(/mail-in[.]yaml$/),
      SMTP_PORT: '2525',
    });
  });
});

describe('dockerProblems', () => {
  test('has none with the defaults and with a mail server elsewhere', () => {
    expect(dockerProblems(settingsOf({}))).toEqual([]);
    expect(dockerProblems(settingsOf({ SMTP_URL: 'smtps://mail.example.com' }))).toEqual([]);
  });

  test('names the engines of the person, which containers do not use', () => {
    const own = { KAFKA_BROKERS: 'one:9092', MONGODB_URI: 'mongodb://one' };

    expect(dockerProblems(settingsOf(own))).toEqual([
      expect.stringContaining('KAFKA_BROKERS'),
      expect.stringContaining('MONGODB_URI'),
    ]);
  });

  test.each(['smtp://localhost:25', 'smtp://127.0.0.1:25', 'smtp://[::1]:25'])(
    'says how a container calls the machine of %s',
    (SMTP_URL) => {
      expect(dockerProblems(settingsOf({ SMTP_URL }))).toEqual([expect.stringContaining('host.docker.internal')]);
    },
  );
});
