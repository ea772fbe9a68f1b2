import { describe, expect, it } from '@jest/globals';
import { Config } from './config.ts';

const least = {
  KAFKA_BROKERS: '127.0.0.1:9092',
  MONGODB_URI: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
  INTERNAL_SIGNING_KEY: 'a signing key of at least thirty-two characters',
};

const openId = {
  OPENID_ISSUER: 'https://login.example.com',
  OPENID_CLIENT_ID: 'tocsin',
  OPENID_CLIENT_SECRET: 'a secret of the client',
  OPENID_DOMAINS: 'example.com, Example.org',
};

describe('the configuration of the directory', () => {
  it('has all settings of OpenID Connect, or none', () => {
    expect(Config.parse(least).openidIssuer).toBeUndefined();
    expect(Config.parse({ ...least, ...openId }).openidDomains).toEqual(['example.com', 'example.org']);
    expect(Config.parse({ ...least, ...openId, OPENID_ISSUER: 'http://127.0.0.1:9' }).openidClientId).toBe('tocsin');
    for (const name of Object.keys(openId)) {
      const result = Config.safeParse({ ...least, ...openId, [name]: '' });
      expect(result.error?.issues.map(({ message, path }) => `${path.join('.')} ${message}`)).toEqual([
        `${name} is needed with the other settings OPENID_…`,
      ]);
    }
  });

  it('needs nothing of its own', () => {
    const { ownerEmail, accountTimezone, accountLocale, contactVerification } = Config.parse(least);
    expect([ownerEmail, accountTimezone, accountLocale]).toEqual([undefined, 'UTC', 'en_US']);
    expect(contactVerification).toBe('off');
  });

  it('keeps the owner as a user name', () => {
    expect(Config.parse({ ...least, OWNER_EMAIL: 'Owner@Example.com' }).ownerEmail).toBe('owner@example.com');
  });

  it.each([
    ['OWNER_EMAIL', 'owner'],
    ['CONTACT_VERIFICATION', 'sometimes'],
    ['ACCOUNT_TIMEZONE', 'Mars/Olympus'],
    ['ACCOUNT_LOCALE', 'english'],
    ['PUSH_URL', 'push.example.com'],
    ['PUSH_URL', 'https://push.example.com/path'],
    ['PUSH_URL', 'https://me@push.example.com'],
    ['OPENID_ISSUER', 'login.example.com'],
    ['OPENID_ISSUER', 'http://login.example.com'],
    ['OPENID_ISSUER', 'https://login.example.com/.well-known/openid-configuration'],
    ['OPENID_DOMAINS', 'ada@example.com'],
    ['OPENID_DOMAINS', ' , '],
    ['OUTGOING_ALLOWED_RANGES', 'everywhere'],
  ])('refuses a %s that is none', (name, value) => {
    const result = Config.safeParse({ ...least, ...(name.startsWith('OPENID') && openId), [name]: value });
    expect(result.error?.issues.map(({ path }) => path.join('.'))).toEqual([name]);
  });
});
