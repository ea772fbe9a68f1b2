import { describe, expect, it } from '@jest/globals';
import { Config } from './config.ts';

const least = {
  KAFKA_BROKERS: '127.0.0.1:9092',
  MONGODB_URI: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
  INTERNAL_SIGNING_KEY: 'a signing key of at least thirty-two characters',
};

describe('the configuration of the directory', () => {
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
  ])('refuses a %s that is none', (name, value) => {
    const result = Config.safeParse({ ...least, [name]: value });
    expect(result.error?.issues.map(({ path }) => path.join('.'))).toEqual([name]);
  });
});
