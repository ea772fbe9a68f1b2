import { describe, expect, it } from '@jest/globals';
import { acknowledge, addNote, byAlias, close, create } from '../testing/commands-samples.ts';
import { after, apply, EMPTY } from '../testing/apply-samples.ts';

const hook = { preset: 'grafana' };
const disk = byAlias('disk');
const outcomes = ({ hookItems }: ReturnType<typeof apply>) => hookItems.map(({ outcome }) => outcome);

describe('what an item of the request of a tool comes to (Q3)', () => {
  it('follows from what its command changes', () => {
    const mail = { key: 'm1', hasMessageId: true };
    const commands = [
      close(disk, { hook }),
      acknowledge(disk, { hook }),
      create('disk', { hook, mail }),
      create('disk', { hook }),
      create('disk', { hook, alert: { priority: 'P1' } }),
      create('disk', { hook, mail }),
      create('disk', { hook, dropped: 'Ignored.' }),
      acknowledge(disk, { hook }),
      acknowledge(disk, { hook }),
      addNote(disk, 'n', { hook }),
      close(disk, { hook }),
    ];
    expect(outcomes(apply(commands))).toEqual([
      'nothing-to-close',
      'failed',
      'opened',
      'counted',
      'raised',
      'dropped',
      'dropped',
      'acknowledged',
      'acknowledged',
      'noted',
      'closed',
    ]);
    expect(apply(commands).hookItems[0]?.preset).toBe('grafana');
  });

  it('is counted once of a command that comes twice, and of no command of the API or of a mail', () => {
    const commands = [create('disk', { hook }), create('disk'), close(disk)];
    expect(outcomes(apply([...commands, ...commands]))).toEqual(['opened']);
    expect(outcomes(apply(commands, after(EMPTY, apply(commands))))).toEqual([]);
  });
});
