import { describe, expect, it } from '@jest/globals';
import { startProcessorTime } from '@tocsin/testkit';
import fc from 'fast-check';
import { redact, secretsOf } from './redaction.ts';

const KEY = '6f1c9a52-6d2b-4e0f-9d3f-2f6f3c1f5a11';

describe('redact', () => {
  it.each([
    ['mail to ada@example.com failed', 'mail to [mail] failed'],
    ['sms to 49-15112345678', 'sms to [phone]'],
    ['calling +4915112345678 now', 'calling [phone] now'],
    ['calling +49 151 1234-5678 now', 'calling [phone] now'],
    ['calling +1 (555) 123-4567.', 'calling [phone].'],
    ['calling 4915112345678 now', 'calling [phone] now'],
    ['{"to":"15551234567"}', '{"to":"[phone]"}'],
    ['GET /send?to=%2B15551234567&text=x', 'GET /send?to=[phone]&text=x'],
    ['mail to jürgen.müller@müller.example failed', 'mail to [mail] failed'],
    ['mail to \u0438\u0432\u0430\u043d@\u043f\u043e\u0447\u0442\u0430.\u0440\u0444 failed', 'mail to [mail] failed'],
    ['mail to 用户@例子.公司 failed', 'mail to [mail] failed'],
    ["mail to o'neil@xn--bcher-kva.xn--p1ai failed", 'mail to [mail] failed'],
    ['GET /v2/users/ada%40example.com/contacts', 'GET /v2/users/[mail]/contacts'],
    ['authorization: GenieKey 6f1c9a52-6d2b-4e0f-9d3f-2f6f3c1f5a11', 'authorization: GenieKey [redacted]'],
    ['GET /v2/integrations?apiKey=6f1c9a52&type=API', 'GET /v2/integrations?apiKey=[redacted]&type=API'],
    [`{"apiKey":"${KEY}"}`, '{"apiKey":"[redacted]"}'],
    [String.raw`{"msg":"sent {\"apiKey\": \"${KEY}\"}"}`, String.raw`{"msg":"sent {\"apiKey\": \"[redacted]\"}"}`],
    [`Authorization: ${KEY}`, 'Authorization: [redacted]'],
    [`GET /x?api_key=${KEY}&a=b`, 'GET /x?api_key=[redacted]&a=b'],
    [`GET /x?a=apiKey%3D${KEY}`, 'GET /x?a=apiKey%3D[redacted]'],
    [`header GenieKey%20${KEY} was refused`, 'header GenieKey%20[redacted] was refused'],
    [`key: ${KEY.toUpperCase()}`, 'key: [redacted]'],
  ])('hides what is private in: %s', (line, hidden) => {
    expect(redact(line)).toBe(hidden);
  });

  it.each([
    '2026-11-21T10:00:00.000Z',
    'alert-commands.v1/3/1234567',
    'offset 12-34',
    '{"offset":12345678901,"bytes":1073741824}',
    'since 1767225600000',
    'at +02:00',
  ])('leaves %s alone', (line) => {
    expect(redact(line)).toBe(line);
  });

  it('leaves every id alone, so that a log line can be followed', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        for (const line of [`alert ${id} settled`, `{"requestId":"${id}","alertId":"${id}"}`, `/v2/alerts/${id}?a=b`])
          expect(redact(line)).toBe(line);
      }),
    );
  });

  it('hides the secrets among the settings wherever they stand, alone too, and no other setting', () => {
    const settings = {
      BOOTSTRAP_API_KEY: KEY,
      SMTP_PASSWORD: 'a"quoted one',
      INTERNAL_SIGNING_KEY: 'old-old-old,new-new-new',
    };
    const secrets = secretsOf({ ...settings, EMAIL_DOMAIN: 'example.org', API_KEY: 'short', OWNER_KEY: undefined });
    expect(redact(`found ${KEY} here`, secrets)).toBe('found [redacted] here');
    expect(redact(JSON.stringify({ msg: settings.SMTP_PASSWORD }), secrets)).toBe('{"msg":"[redacted]"}');
    expect(redact('new-new-new example.org short', secrets)).toBe('[redacted] example.org short');
  });

  it('opens no header that is secret by its name, as it is written and as it is sent', () => {
    const secrets = secretsOf({
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=notifier,x-api-key=not%3D4-all, x-token=%not-a-code',
    });
    expect(redact('not%3D4-all, not=4-all and %not-a-code', secrets)).toBe('[redacted], [redacted] and [redacted]');
    expect(redact('the notifier says so', secrets)).toBe('the notifier says so');
  });

  it('opens no token, and no header of a gateway that is secret by its name', () => {
    const secrets = secretsOf({
      PUSH_TOKEN: 'tk-of-the-server',
      SMS_HTTP_HEADERS: '{"Authorization": "Bearer its-long-key", "x-team": "notifiers", "x-auth": 12345678}',
      VOICE_HTTP_HEADERS: 'null',
    });
    expect(redact('tk-of-the-server, its-long-key and Bearer its-long-key', secrets)).not.toMatch(/tk-of|its-long/);
    expect(redact('the notifiers say so', secrets)).toBe('the notifiers say so');
  });

  it.each([
    'a',
    'a@',
    'a.',
    'é@',
    'a%40',
    '+1 ',
    '12 ',
    '%',
    '+',
    '1',
    '1-',
    'Basic ',
    'key=',
    'key"',
    'a@a.',
    '\\',
    '6f1c9a52-',
    'GenieKey\t',
  ])('goes through %j as often as it stands there in a time that grows with it, not with its square', (piece) => {
    const time = (times: number) => {
      const line = piece.repeat(times);
      const elapsedMs = startProcessorTime();
      redact(line);
      return elapsedMs();
    };
    time(5_000);
    const [short, long] = [time(5_000), time(80_000)];
    // Sixteen times the text: the square would be 256 times the time.
    expect(long).toBeLessThan(100 * Math.max(short, 5));
  });
});
