import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Person } from '../testing/command-fixture.ts';

let person: Person;
beforeEach(() => {
  person = new Person();
});
afterEach(() => {
  person.leave();
});

async function completed(...words: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await person.types('complete', '--', ...words);
  expect([code, stderr]).toEqual([0, '']);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0] ?? '');
}

describe('completion', () => {
  it('offers commands, those of a noun, and none where an argument is typed', async () => {
    expect(await completed('')).toEqual(
      expect.arrayContaining([
        'alert',
        'who',
        'schedule',
        'heartbeat',
        'key',
        'policy',
        'profile',
        'completion',
        'help',
      ]),
    );
    expect(await completed('')).not.toContain('complete');
    expect(await completed('al')).toEqual(['alert']);
    expect(await completed('alert', 'e')).toEqual(['escalate']);
    expect(await completed('--json', 'alert', 'cl')).toEqual(['close']);
    expect(await completed('alert', 'ack', '')).toEqual([]);
    expect(await completed('who', 'Ops', '')).toEqual([]);
  });

  it('offers options of the command and of all commands, and the words that an option takes', async () => {
    expect(await completed('alert', 'snooze', '17', '--')).toEqual(
      expect.arrayContaining(['--for', '--until', '--by', '--no-wait', '--json', '--profile']),
    );
    expect(await completed('alert', 'create', 'm', '--priority', '')).toEqual(['P1', 'P2', 'P3', 'P4', 'P5']);
    expect(await completed('alert', 'create', 'm', '-p', 'P2')).toEqual(['P2']);
    expect(await completed('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  it('offers the names of profiles, and nothing where the file is refused', async () => {
    await person.feeds('key', 'profile', 'add', 'home', '--url', 'https://tocsin.example.com');
    expect(await completed('who', '--profile', '')).toEqual(['home']);
    expect(await completed('profile', 'use', 'h')).toEqual(['home']);
    fs.chmodSync(person.profileFile, 0o644);
    expect((await person.types('complete', '--', 'profile', 'use', '')).stdout).toBe('');
  });

  it('says a meaning with each word, for shells that show it', async () => {
    expect((await person.types('complete', '--', 'who')).stdout).toMatch(/^who\tSays who is on call now/);
  });

  it.each(['bash', 'zsh', 'fish'])('prints a script for %s, which calls the command', async (shell) => {
    const { code, stdout } = await person.types('completion', shell);
    expect([code, stdout]).toEqual([0, expect.stringContaining('tocsin complete -- ')]);
  });

  it('is refused for another shell', async () => {
    expect((await person.types('completion', 'powershell')).code).toBe(2);
  });

  it('in bash gives the words without their meanings', async () => {
    const script = (await person.types('completion', 'bash')).stdout;
    const bin = path.join(person.home, 'tocsin');
    fs.writeFileSync(bin, `#!/bin/sh\nprintf '%s\\t%s\\n' "$*" 'a meaning' second 'another one'\n`, { mode: 0o755 });
    const asked = `${script}\nCOMP_WORDS=(tocsin alert ''); COMP_CWORD=2; _tocsin; printf '[%s]' "\${COMPREPLY[@]}"`;
    const env = { PATH: `${person.home}:/usr/bin:/bin` };
    expect(execFileSync('bash', ['-c', asked], { stdio: ['ignore', 'pipe', 'inherit'], env, encoding: 'utf8' })).toBe(
      '[complete -- alert ][second]',
    );
  });
});
