import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { obtainSchemathesis, downloads } from '@tocsin/testkit';
import { API_KEY } from '../system/api.ts';
import type { Things } from './furnishing.ts';

/** So many requests are made up for each operation and kind of data; the whole takes some minutes. */
const EXAMPLES = '6';
/** The generated requests: `coverage` also has boundary values, and takes much longer. */
const PHASES = process.env['FUZZ_PHASES'] ?? 'examples,fuzzing';

const [CONFIG = '', HOOKS] = ['schemathesis.toml', 'hooks.py'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);

interface Target {
  readonly url: string;
  /** A folder for what is written. */
  readonly folder: string;
  readonly things: Readonly<Record<'kept' | 'deleted', Things>>;
  /** Regular expression of the paths that are asked for. */
  readonly paths: string;
}

/** The failures that schemathesis found, by the label of each operation, such as `GET /v2/users`; empty without failures. */
export async function fuzzed(target: Target): Promise<ReadonlyMap<string, string>> {
  const packages = await obtainSchemathesis(downloads(), (line) => process.stderr.write(`${line}\n`));
  const file = (name: string): string => path.join(target.folder, name);
  await fs.writeFile(file('things.json'), JSON.stringify(target.things));
  const env = {
    PATH: process.env['PATH'],
    PYTHONPATH: packages,
    PYTHONNOUSERSITE: '1',
    PYTHONDONTWRITEBYTECODE: '1',
    SCHEMATHESIS_HOOKS: HOOKS,
    TOCSIN_THINGS: file('things.json'),
  };
  const args = [
    ...['-m', 'schemathesis.cli', '--config-file', CONFIG, 'run', `${target.url}/openapi.json`],
    ...['-H', `Authorization: GenieKey ${API_KEY}`, '--include-path-regex', target.paths],
    ...['--phases', PHASES, '-n', EXAMPLES, '--no-shrink', '--no-color'],
    ...['--report', 'junit', '--report-junit-path', file('junit.xml')],
  ];
  const said = await printed('python3', args, { env, cwd: target.folder });
  const report = await fs.readFile(file('junit.xml'), 'utf8').catch(() => {
    throw new Error(`schemathesis did not come to an end: ${said}`);
  });
  return casesOf(report);
}

/** The output of a program, also of one that failed. */
function printed(command: string, args: readonly string[], options: object): Promise<string> {
  return new Promise((resolve) => {
    execFile(command, [...args], { ...options, maxBuffer: 64 * 1024 * 1024 }, (_, stdout, stderr) => {
      resolve(stdout + stderr);
    });
  });
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#(\d+)|(\w+));/g, (_, code: string | undefined, name: string) =>
    code === undefined ? (ENTITIES[name] ?? '') : String.fromCodePoint(Number(code)),
  );

/** The cases of a JUnit report and what stands in their failures and errors. */
function casesOf(report: string): ReadonlyMap<string, string> {
  const cases = new Map<string, string>();
  for (const [, attributes = '', content = ''] of report.matchAll(/<testcase\b([^>]*?)(?:\/>|>(.*?)<\/testcase>)/gs)) {
    const name = unescaped(/\bname="([^"]*)"/.exec(attributes)?.[1] ?? '');
    const found = [...content.matchAll(/<(?:failure|error)\b[^>]*?(?:message="([^"]*)")?[^>]*?(?:\/>|>(.*?)<\/)/gs)];
    cases.set(name, found.map(([, message = '', text = '']) => unescaped(`${message}\n${text}`)).join('\n'));
  }
  return cases;
}
