import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { obtainPromtool } from '@tocsin/local-stack';
import { downloads } from '@tocsin/testing';
import { CHART } from './testing/rendered.ts';

const TESTS = fileURLToPath(new URL('../../../deploy/monitoring/rules.test.yaml', import.meta.url));
const RULES = path.join(CHART, 'files', 'rules');

/** What promtool says. @throws Error with the alerts that differ, when something does. */
async function promtool(...args: readonly string[]): Promise<string> {
  const program = await obtainPromtool(downloads(), (line) => process.stderr.write(`${line}\n`));
  const { stdout } = await promisify(execFile)(program, [...args]);
  return stdout;
}

test('the rules are what Prometheus understands', async () => {
  const files = fs.readdirSync(RULES).map((file) => path.join(RULES, file));

  expect((await promtool('check', 'rules', ...files)).match(/SUCCESS: \d+ rules found/g)).toHaveLength(files.length);
});

test('alerts fire at the minute they are meant to, and at no other', async () => {
  expect(fs.readFileSync(TESTS, 'utf8')).toContain('alert_rule_test:');
  expect(await promtool('test', 'rules', TESTS)).toContain('SUCCESS');
});
