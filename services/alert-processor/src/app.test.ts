import { describe, expect, it } from '@jest/globals';
import { setUp } from './testing/component-fixture.ts';
import { ACCEPTED_AT, create } from './testing/commands-samples.ts';

describe('settling', () => {
  it('measures the time since acceptance, once for each command', async () => {
    const { commands, settle, settled } = setUp();
    const command = create('disk');
    await settle(command);
    await commands.settle({ topic: 't', partition: 9, clusterId: 'c', records: [] });
    await settle(command);
    expect(settled).toMatchObject([{ status: { requestId: command.requestId }, seconds: 1 }]);
    expect(ACCEPTED_AT).toBe(command.acceptedAt);
  });
});
