import { describe, expect, it } from '@jest/globals';
import { setUp } from './testing/component-fixture.ts';
import { ACCEPTED_AT, create } from './testing/commands-samples.ts';

describe('processing', () => {
  it('measures the time since acceptance, once for each command', async () => {
    const { commands, apply, processed } = await setUp();
    const command = create('disk');
    await apply(command);
    await commands.process([{ topic: 't', partition: 9, clusterId: 'c', records: [] }]);
    await apply(command);
    expect(processed).toMatchObject([{ status: { requestId: command.requestId }, seconds: 1 }]);
    expect(ACCEPTED_AT).toBe(command.acceptedAt);
  });
});
