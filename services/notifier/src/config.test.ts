import { describe, expect, it } from '@jest/globals';
import { Config } from './config.ts';

const read = (change: Record<string, string>) =>
  Config.safeParse({
    KAFKA_BROKERS: 'one:9092',
    MONGODB_URI: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
    INTERNAL_SIGNING_KEY: 'x'.repeat(32),
    SMTP_URL: 'smtp://mail.example.com',
    ...change,
  });
const login = { SMTP_USERNAME: 'tocsin', SMTP_PASSWORD: 'secret' };

describe('the settings of a mail server with a login', () => {
  it('are refused where they say that it goes over a network in the clear', () => {
    const { error } = read({ ...login, SMTP_TLS: 'off' });
    expect(error?.issues).toMatchObject([{ path: ['SMTP_TLS'], message: expect.stringContaining('in the clear') }]);
  });

  it.each<Record<string, string>>([
    { ...login },
    { ...login, SMTP_TLS: 'required' },
    { ...login, SMTP_TLS: 'off', SMTP_URL: 'smtps://mail.example.com' },
    { ...login, SMTP_TLS: 'off', SMTP_URL: 'smtp://127.0.0.1:2525' },
    { ...login, SMTP_TLS: 'off', SMTP_URL: 'smtp://[::1]:2525' },
    { SMTP_TLS: 'off' },
  ])('are taken as %j', (change) => {
    expect(read(change).success).toBe(true);
  });
});
