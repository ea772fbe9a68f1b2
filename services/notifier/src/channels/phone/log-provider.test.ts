import { describe, expect, it } from '@jest/globals';
import { LogProvider, type LoggedMessage } from './log-provider.ts';

describe('LogProvider', () => {
  it('logs that a message would have been sent, without its text and its whole number', async () => {
    const lines: LoggedMessage[] = [];
    const log = new LogProvider('sms', (line) => lines.push(line));
    const attempt = { deliveryId: 'd1', attempt: 2 };
    expect(await log.send({ to: '1-5551234567', text: 'Your code is 123456 🔥' }, attempt)).toMatchObject({
      kind: 'accepted',
    });
    expect(lines).toEqual([{ ...attempt, method: 'sms', to: '•••67', characters: 21 }]);
  });
});
