import { describe, expect, it } from '@jest/globals';
import { Config } from './config.ts';

const least = {
  KAFKA_BROKERS: '127.0.0.1:9092',
  MONGODB_URI: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
  INTERNAL_SIGNING_KEY: 'a signing key of at least thirty-two characters',
};

describe('the configuration of alert-processor', () => {
  it('keeps closed alerts for a year and statuses for a week by default', () => {
    expect(Config.parse(least)).toMatchObject({ alertRetentionDays: 365, requestStatusRetentionDays: 7 });
  });

  it('has the time zone of policies, UTC by default (S3)', () => {
    expect(Config.parse(least).accountTimezone).toBe('UTC');
    expect(Config.parse({ ...least, ACCOUNT_TIMEZONE: 'Europe/Berlin' }).accountTimezone).toBe('Europe/Berlin');
    expect(Config.safeParse({ ...least, ACCOUNT_TIMEZONE: 'Mars/Olympus' }).success).toBe(false);
  });

  it.each(['ALERT_RETENTION_DAYS', 'REQUEST_STATUS_RETENTION_DAYS'])(
    'takes 1 to 3650 days as %s, and says so',
    (name) => {
      const refusals = (value: string) =>
        Config.safeParse({ ...least, [name]: value }).error?.issues.map(
          ({ path, message }) => `${path.join('.')} ${message}`,
        );
      for (const value of ['1', '3650']) expect(refusals(value)).toBeUndefined();
      expect(refusals('0')).toEqual([`${name} should be at least 1 day`]);
      expect(refusals('3651')).toEqual([`${name} should be at most 3650 days`]);
      for (const value of ['1.5', 'a year'])
        expect(refusals(value)).toEqual([`${name} should be a whole number of days`]);
    },
  );
});
