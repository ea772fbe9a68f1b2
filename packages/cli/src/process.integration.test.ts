import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { processEnvironment } from '@tocsin/testkit';
import { ScriptedApi, type Reply } from './testing/command-fixture.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const ID = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e40';
const ALERT = { tinyId: '1', priority: 'P1', status: 'open', count: 1, owner: '', message: 'Disk full' };
let api: ScriptedApi | undefined;
afterEach(() => {
  api?.stop();
  api = undefined;
});

/** The command as a process that asks an API which answers so, the last time again and again. */
async function started(replies: Reply | 'silence' | readonly Reply[], ...args: readonly string[]) {
  api = new ScriptedApi(...[replies].flat());
  const env = { HOME: os.tmpdir(), TOCSIN_URL: await api.start(), TOCSIN_KEY: 'key' };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...args], {
    env: processEnvironment(env),
  });
  child.stdin.end();
  return { child, stderr: text(child.stderr) };
}

const codeOf = async (child: ChildProcess): Promise<unknown> => ((await once(child, 'exit')) as unknown[])[0];

describe('the process', () => {
  it('ends with 130 on Ctrl-C while it waits for an answer', async () => {
    const { child, stderr } = await started('silence', 'who');
    while (api?.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGINT');
    expect([await codeOf(child), await stderr]).toEqual([130, 'tocsin: Interrupted.\n']);
  });

  it('ends with 0 on Ctrl-C where it watches, which ends in no other way', async () => {
    const none = { body: { data: [] } };
    const replies = [none, { body: { data: { name: 'Tool', keepSamples: true } } }, none];
    const { child, stderr } = await started(replies, 'integration', 'watch', ID);
    while ((api?.received.length ?? 0) < 4) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGINT');
    expect([await codeOf(child), await stderr]).toEqual([0, '']);
  });

  it('ends with 130 on Ctrl-C while it reads standard input', async () => {
    api = new ScriptedApi({});
    const env = { HOME: os.tmpdir(), TOCSIN_URL: await api.start(), TOCSIN_KEY: 'key' };
    const args = ['--disable-warning=ExperimentalWarning', MAIN, 'alert', 'note', '17', '-'];
    const child = spawn(process.execPath, args, { env: processEnvironment(env), stdio: ['pipe', 'ignore', 'pipe'] });
    // The text is larger than a pipe, so its write ends when the command reads it. The command has begun its work then.
    await new Promise((resolve) => child.stdin.write('x'.repeat(1_000_000), resolve));
    child.kill('SIGINT');
    expect(await codeOf(child)).toBe(130);
    expect(api.received).toEqual([]);
  });

  it('ends quietly when its reader has had enough, as `head` has', async () => {
    const data = Array.from({ length: 50 }, () => ({ message: 'x'.repeat(5_000) }));
    const { child, stderr } = await started({ body: { data } }, 'alert', 'list', '--json', '-n', '50');
    child.stdout.once('data', () => child.stdout.destroy());
    expect([await codeOf(child), await stderr]).toEqual([0, '']);
  });

  it.each([
    ['', 'CREATED \\(UTC\\)[^]*10:00'],
    ['Etc/Unknown', 'CREATED \\(UTC\\)[^]*10:00'],
    ['XYZ-5', 'CREATED  [^]*15:00'],
    ['XYZ+3', 'CREATED  [^]*07:00'],
  ])('shows times at the offset of Node where TZ is [%s], which names no zone', async (TZ, shown) => {
    api = new ScriptedApi({ body: { data: [{ ...ALERT, createdAt: '2026-03-02T10:00:00Z' }] } });
    const env = { HOME: os.tmpdir(), TOCSIN_URL: await api.start(), TOCSIN_KEY: 'key', TZ };
    const args = ['--disable-warning=ExperimentalWarning', MAIN, 'alert', 'list'];
    const child = spawn(process.execPath, args, { env: processEnvironment(env) });
    child.stdin.end();
    expect(await text(child.stdout)).toMatch(new RegExp(shown));
  });

  it('says its version and its help without an installation', async () => {
    const { child } = await started('silence', '--version');
    const manifest = fs.readFileSync(new URL('../package.json', import.meta.url), 'utf8');
    expect(await text(child.stdout)).toBe(`${(JSON.parse(manifest) as { version: string }).version}\n`);
    const help = await started('silence', 'alert', 'create', '--help');
    expect(await text(help.child.stdout)).toMatch(/Usage: tocsin alert create [^]*--responder[^]*Examples:\n/);
  });
});
