import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OPSGENIE_KEYS, OPSGENIE_SECRETS, startOpsgenie, type OpsgenieDouble } from '@tocsin/testkit';
import { CommandLine, type Ran } from '../system/command-line.ts';
import { FaultyProxy } from '../system/faulty-proxy.ts';
import { useSystem } from '../system/system.ts';

const system = useSystem();
let old: OpsgenieDouble;
let cli: CommandLine;
let snapshot: string;

/** Passes requests on to the gateway, and kills the command at one of its writes. */
let proxy: FaultyProxy;
let running: ChildProcessWithoutNullStreams | undefined;
let writes = 0;
let killAt = Infinity;
let killsBeforeTheWrite = true;

beforeAll(async () => {
  proxy = await FaultyProxy.start(() => system.api.url);
  proxy.faultOf = ({ method }) => {
    if (method !== 'PUT' || (writes += 1) !== killAt) return undefined;
    running?.kill('SIGKILL');
    return killsBeforeTheWrite ? 'is cut off before it arrives' : 'is cut off after it was handled';
  };
});
afterAll(() => proxy.stop());

beforeEach(async () => {
  old = await startOpsgenie();
  cli = new CommandLine(proxy.url);
  snapshot = path.join(cli.folder, 'snapshot');
  [writes, killAt] = [0, Infinity];
});
afterEach(async () => {
  cli.remove();
  await old.stop();
});

/** Runs a command that is killed at its `at`-th write, before the write is sent on, or after it. */
async function killedAt(at: number, isBefore: boolean, ...args: readonly string[]): Promise<Ran> {
  [writes, killAt, killsBeforeTheWrite] = [0, at, isBefore];
  running = cli.start(...args);
  return cli.end(running);
}

const filesText = (): string =>
  fs
    .readdirSync(snapshot)
    .map((name) => fs.readFileSync(path.join(snapshot, name), 'utf8'))
    .join('');
const DECIDED = ['--zone', 'Europe/Berlin', '--locale', 'en_GB'];
const KEY = '0198c0de-0000-4000-8000-00000000cafe';

describe('the import of an account of Opsgenie', () => {
  it('is finished by a later run wherever it was killed, and shows and keeps no secret', async () => {
    const [key, keys] = ['key.txt', 'keys.csv'].map((name) => path.join(cli.folder, name)) as [string, string];
    const [{ id: integration = '' } = {}] = old.account.integrations;
    fs.writeFileSync(key, OPSGENIE_KEYS.account, { mode: 0o600 });
    fs.writeFileSync(keys, `id,key\n${String(integration)},${KEY}\n`, { mode: 0o600 });
    await cli.json('import', 'fetch', '--from', old.url, '--key-file', key, '--to', snapshot);

    const apply = ['import', 'apply', '--from-snapshot', snapshot, ...DECIDED, '--keys', keys, '--json'];
    const output: string[] = [];
    let last: Ran = { code: null, stdout: '', stderr: '' };
    for (let run = 0; run < 20 && last.code === null; run += 1) {
      last = await killedAt(4, run % 2 === 0, ...apply);
      output.push(last.stdout, last.stderr);
    }
    expect([last.code, last.stderr]).toEqual([0, '']);
    expect(writes).toBeLessThan(4);

    const plan = await cli.run('import', 'plan', '--from-snapshot', snapshot, ...DECIDED);
    expect([plan.code, plan.stderr]).toEqual([0, '']);
    const verified = await cli.run('import', 'verify', '--from-snapshot', snapshot, ...DECIDED, '--json');
    const { deviations } = JSON.parse(verified.stdout) as { deviations: { name: string; state: string }[] };
    expect(deviations).toEqual([expect.objectContaining({ name: 'Incidents', state: 'missing' })]);

    // A sender of the account needs another host alone.
    await system.settle();
    const sent = await fetch(`${system.api.url}/v2/alerts`, {
      method: 'POST',
      headers: { authorization: `GenieKey ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Disk full' }),
    });
    expect(sent.status).toBe(202);

    const all = [filesText(), ...output, plan.stdout, verified.stdout].join('\n');
    expect([...OPSGENIE_SECRETS, OPSGENIE_KEYS.account, KEY].filter((secret) => all.includes(secret))).toEqual([]);
    // The alert pages the user on call.
    await system.settle();
    system.mailbox.clear();
  });
});
