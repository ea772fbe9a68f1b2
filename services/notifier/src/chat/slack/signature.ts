import { createHmac } from 'node:crypto';
import { isEqualInConstantTime } from '@tocsin/http';

type Headers = Readonly<Record<string, string>>;

/** How old a request of Slack may be. */
const MAX_AGE_SECONDS = 300;

/** Whether a request has the form of a signature of Slack, and is not older than 5 minutes. */
export function isFresh(headers: Headers, now: Date): boolean {
  const { 'x-slack-request-timestamp': at = '', 'x-slack-signature': signature = '' } = headers;
  const ageSeconds = Math.abs(now.getTime() / 1_000 - Number(at));
  return /^\d{1,12}$/.test(at) && /^v0=[0-9a-f]{64}$/.test(signature) && ageSeconds <= MAX_AGE_SECONDS;
}

/** Whether Slack has signed a request with this secret. */
export function isSignedBySlack(headers: Headers, body: Buffer, signingSecret: string | undefined): boolean {
  const { 'x-slack-request-timestamp': at = '', 'x-slack-signature': given = '' } = headers;
  if (signingSecret === undefined) return false;
  const expected = createHmac('sha256', signingSecret).update(`v0:${at}:`).update(body).digest('hex');
  return isEqualInConstantTime(Buffer.from(given), Buffer.from(`v0=${expected}`));
}
