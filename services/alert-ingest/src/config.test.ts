import { describe, expect, it } from '@jest/globals';
import { Config } from './config.ts';

const least = {
  KAFKA_BROKERS: '127.0.0.1:9092',
  MONGODB_URI: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
  INTERNAL_SIGNING_KEY: 'x'.repeat(32),
};
const KEY = 'b0b0b0b0-0000-4000-8000-000000000000';

describe('the settings of alert-ingest', () => {
  it('have a default each', () => {
    expect(Config.parse(least)).toMatchObject({
      ingestOnExcess: 'reject',
      extraIntegrationTypes: [],
      webhookSamples: 20,
    });
    expect(Config.parse(least).bootstrapApiKey).toBeUndefined();
    expect(Config.parse(least).smtpPort).toBeUndefined();
  });

  it('are read as they are written', () => {
    const settings = {
      BOOTSTRAP_API_KEY: ` ${KEY}\n`,
      INGEST_ON_EXCESS: 'truncate',
      EXTRA_INTEGRATION_TYPES: 'Fax, Pager,',
      WEBHOOK_SAMPLES: '0',
    };
    expect(Config.parse({ ...least, ...settings })).toMatchObject({
      bootstrapApiKey: KEY,
      ingestOnExcess: 'truncate',
      extraIntegrationTypes: ['Fax', 'Pager'],
      webhookSamples: 0,
    });
  });

  it('take a certificate with its key, and say which is missing', () => {
    const both = { SMTP_PORT: '2525', SMTP_TLS_CERT_FILE: '/mail.crt', SMTP_TLS_KEY_FILE: '/mail.key' };
    expect(Config.parse({ ...least, ...both })).toMatchObject({ smtpPort: 2525, smtpTlsCertFile: '/mail.crt' });
    for (const missing of ['SMTP_TLS_CERT_FILE', 'SMTP_TLS_KEY_FILE']) {
      const { error } = Config.safeParse({ ...least, ...both, [missing]: '' });
      expect(error?.issues).toMatchObject([{ path: [missing], message: expect.stringContaining('is needed') }]);
    }
  });

  it.each([
    { BOOTSTRAP_API_KEY: 'secret' },
    { INGEST_ON_EXCESS: 'ignore' },
    { SMTP_PORT: '0' },
    { SMTP_PORT: '65536' },
    { EMAIL_DOMAIN: 'a b' },
    { WEBHOOK_SAMPLES: '101' },
    { WEBHOOK_SAMPLES: '-1' },
  ])('refuse %j', (settings) => {
    expect(Config.safeParse({ ...least, ...settings }).success).toBe(false);
  });
});
