import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { API_KEY } from '../system/api.ts';
import { CommandLine } from '../system/command-line.ts';
import { useSystem } from '../system/system.ts';

const system = useSystem();
let scenario: Scenario;
let cli: CommandLine;
let source: readonly string[];

beforeEach(() => {
  scenario = system.scenario();
  cli = new CommandLine(system.api.url);
  const key = path.join(cli.folder, 'key.txt');
  fs.writeFileSync(key, API_KEY, { mode: 0o600 });
  source = ['--from', system.api.url, '--key-file', key];
});
afterEach(() => {
  cli.remove();
});

interface Fetched {
  readonly kinds: readonly { readonly kind: string; readonly state: string; readonly why?: string }[];
}

/** The lines of a kind that have a name. */
const thingsOf = (folder: string, kind: string, name: string): readonly string[] =>
  fs
    .readFileSync(path.join(folder, `${kind}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line.includes(JSON.stringify(name).slice(1, -1)));

describe('tocsin import', () => {
  it('fetches an installation of Tocsin as it fetches an account of Opsgenie, and twice with the same result', async () => {
    await scenario.users('ada', 'bob');
    const { id } = await scenario.team('Ops', 'ada');
    await scenario.schedule('Nights', { participants: ['ada', 'bob'] });
    await scenario.policy('Quiet', { suppress: true }, id);
    const [first, second] = ['first', 'second'].map((name) => path.join(cli.folder, name)) as [string, string];
    const { kinds } = await cli.json<Fetched>('import', 'fetch', ...source, '--to', first);
    expect(kinds.filter(({ state }) => state === 'unavailable').map(({ kind }) => kind)).toEqual(['services']);
    await cli.json('import', 'fetch', ...source, '--to', second);
    for (const [kind, name] of [
      ['users', scenario.address('ada')],
      ['teams', scenario.name('Ops')],
      ['schedules', scenario.name('Nights')],
      ['policies', scenario.name('Quiet')],
    ] as const) {
      expect(thingsOf(first, kind, name)).toHaveLength(1);
      expect(thingsOf(second, kind, name)).toEqual(thingsOf(first, kind, name));
    }
    const { code, stdout } = await cli.run('import', 'findings', '--from-snapshot', first);
    expect([0, 1]).toContain(code);
    expect(stdout).toContain('What the account has:');
  });
});
