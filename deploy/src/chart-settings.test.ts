import fs from 'node:fs';
import { expect, test } from '@jest/globals';
import { SERVICES } from '@tocsin/events';
import { settingsByService } from './chart-settings.ts';

const page = fs.readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

test('each service has the settings of all and its own, and none of others', () => {
  const settings = settingsByService(page);
  expect(Object.keys(settings)).toEqual([...SERVICES]);
  expect(settings['gateway']).toEqual(expect.arrayContaining(['LOG_LEVEL', 'OTEL_SERVICE_NAME', 'RATE_LIMITS']));
  expect(settings['gateway']).not.toContain('SMTP_URL');
  expect(settings['notifier']).toEqual(expect.arrayContaining(['ACCOUNT_NAME', 'SMTP_URL', 'TWILIO_FROM']));
});

test('a page without such a heading is refused', () => {
  expect(() => settingsByService('')).toThrow('There is no heading');
});
