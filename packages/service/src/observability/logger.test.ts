import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.ts';

function recording() {
  const lines: Record<string, unknown>[] = [];
  return { lines, write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
}

describe('createLogger', () => {
  it('writes one JSON object a line with level, name and time', () => {
    const output = recording();
    createLogger('scheduling', 'info', output).info({ alertId: 'a1' }, 'run started');
    expect(output.lines).toMatchObject([{ level: 'info', name: 'scheduling', alertId: 'a1', msg: 'run started' }]);
    expect(output.lines[0]?.['time']).toEqual(expect.stringMatching(/Z$/));
  });

  it('hides keys and addresses in fields, nested ones, messages and errors', () => {
    const output = recording();
    const logger = createLogger('notifier', 'info', output);
    logger.warn(
      { apiKey: 'k1', request: { authorization: 'k2' }, err: new Error('550 no such user ada@example.com') },
      'could not mail grace@example.com',
    );
    const written = JSON.stringify(output.lines);
    expect(written).not.toMatch(/k1|k2|example\.com/);
    expect(output.lines[0]?.['msg']).toBe('could not mail [mail]');
  });

  it('writes nothing below its level', () => {
    const output = recording();
    createLogger('notifier', 'warn', output).info('hello');
    expect(output.lines).toHaveLength(0);
  });
});
