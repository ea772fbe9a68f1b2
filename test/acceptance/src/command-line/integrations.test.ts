import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tocsin/testkit';
import { CommandLine } from '../system/command-line.ts';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
let cli: CommandLine;

beforeEach(() => {
  cli = new CommandLine(system.api.url);
});
afterEach(() => {
  cli.remove();
});

interface Added {
  readonly id: string;
  readonly url: string;
}
interface Watched {
  readonly id: string;
  readonly preset: string;
  readonly items: readonly { readonly effect: string; readonly status: string }[];
}

const send = async (url: string, fields: object) => {
  const { status } = await fetch(url, { method: 'POST', body: JSON.stringify(fields) });
  expect(status).toBe(200);
};

describe('tocsin integration', () => {
  it('adds a tool, shows its requests as they come with what became of them, and tries one of them again', async () => {
    const name = system.scenario().name('Tool');
    const { id, url } = await cli.json<Added>('integration', 'add', 'fallback', '--name', name);
    await send(url, { message: 'Before', key: 'before', state: 'open' });
    await eventually(async () => {
      expect(await cli.json('integration', 'samples', name)).toHaveLength(1);
    });

    const watching = cli.start('integration', 'watch', id, '--json');
    watching.stdin.end();
    let shown = '';
    watching.stdout.on('data', (part: Buffer) => (shown += String(part)));
    const ended = cli.end(watching);
    // What is sent before the command has looked once is not new to it.
    await eventually(
      async () => {
        const full = { message: 'Disk full', key: 'disk', state: 'open', password: 'canary' };
        await send(url, [full, { ...full, key: 'disk-2' }]);
        expect(shown).toContain('\n');
      },
      { everyMs: 2_000 },
    );
    watching.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
    const [first = ''] = shown.split('\n');
    const watched = JSON.parse(first) as Watched;
    expect(watched).toMatchObject({
      preset: 'fallback',
      items: ['disk', 'disk-2'].map((key) => ({
        effect: 'create',
        alias: `fallback:${id.slice(0, 8)}:${key}`,
        status: 'Created alert',
      })),
    });

    const tried = await cli.run('integration', 'try', name, '--sample', watched.id);
    expect(tried).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Read by the preset fallback\.[^]*Disk full/),
    });
    const { stdout } = await cli.run('integration', 'samples', name, '--save', `${cli.folder}/requests`);
    expect(stdout).toMatch(/^RECEIVED \(UTC\) +ID +PRESET +ITEMS +RESULT\n/);
    expect(stdout + shown + tried.stdout).not.toContain('canary');
  });
});
