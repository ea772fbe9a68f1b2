import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { redact } from './redaction.ts';

describe('redact', () => {
  it.each([
    ['mail to ada@example.com failed', 'mail to [mail] failed'],
    ['sms to 49-15112345678', 'sms to [phone]'],
    ['calling +4915112345678 now', 'calling [phone] now'],
    ['authorization: GenieKey 6f1c9a52-6d2b-4e0f-9d3f-2f6f3c1f5a11', 'authorization: GenieKey [redacted]'],
    ['GET /v2/integrations?apiKey=6f1c9a52&type=API', 'GET /v2/integrations?apiKey=[redacted]&type=API'],
  ])('hides what is private in: %s', (line, hidden) => {
    expect(redact(line)).toBe(hidden);
  });

  it.each(['2026-11-21T10:00:00.000Z', 'alert-commands.v1/3/1234567', 'offset 12-34'])('leaves %s alone', (line) => {
    expect(redact(line)).toBe(line);
  });

  it('leaves every id alone, so that a log line can be followed', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(redact(`alert ${id} settled`)).toBe(`alert ${id} settled`);
      }),
    );
  });
});
