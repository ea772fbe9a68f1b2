import { describe, expect, test } from '@jest/globals';
import { mongoUriOf, passwordVariables } from './mongo-users.ts';

const ADDRESS = 'mongodb://127.0.0.1:27017/?replicaSet=rs0';
const USERS = { key: 'k', databasePrefix: 'a/_' };

describe('the login of a service at MongoDB', () => {
  test('is that of the user of its database, with the password that the user was made with', () => {
    const { MONGODB_PASSWORD_ALERT_INGEST: password = '' } = passwordVariables('k');

    expect(password).toMatch(/^[0-9a-f]{64}$/);
    expect(mongoUriOf('alert-ingest', ADDRESS, USERS)).toBe(
      `mongodb://a%2F_alert_ingest:${password}@127.0.0.1:27017/?replicaSet=rs0`,
    );
  });

  test('has a password of its own in each service and each installation', () => {
    const all = ['k', 'l'].flatMap((key) => Object.values(passwordVariables(key)));

    expect(all).toHaveLength(12);
    expect(new Set(all).size).toBe(12);
  });

  test('is that of MONGODB_URI in a MongoDB that the user of npm start runs', () => {
    expect(mongoUriOf('directory', 'mongodb://me:secret@db', undefined)).toBe('mongodb://me:secret@db');
  });

  test('is unknown to the gateway, which has no database', () => {
    expect(mongoUriOf('gateway', ADDRESS, USERS)).toBe('mongodb://none.invalid');
    expect(mongoUriOf('gateway', 'mongodb://me:secret@db', undefined)).toBe('mongodb://none.invalid');
    expect(Object.keys(passwordVariables('k')).join()).not.toContain('GATEWAY');
  });
});
