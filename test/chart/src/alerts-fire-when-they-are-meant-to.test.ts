import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { promtool } from './testing/promtool.ts';
import { CHART } from './testing/rendered.ts';
import { sourceOf } from './testing/sources.ts';

const TESTS = fileURLToPath(new URL('../../../deploy/monitoring', import.meta.url));
const RULES = path.join(CHART, 'files', 'rules');

test('the rules are what Prometheus understands', async () => {
  const files = fs.readdirSync(RULES).map((file) => path.join(RULES, file));

  expect((await promtool('check', 'rules', ...files)).match(/SUCCESS: \d+ rules found/g)).toHaveLength(files.length);
});

test.each(fs.readdirSync(TESTS))('alerts fire at the minute they are meant to, and at no other: %s', async (file) => {
  expect(await promtool('test', 'rules', path.join(TESTS, file))).toContain('SUCCESS');
});

test('the scrape configuration of the how-to is what Prometheus understands', async () => {
  const page = sourceOf('docs/how-to/watch-it-with-prometheus.md');
  const configuration = page
    .split('```yaml\n')
    .find((block) => block.includes('kubernetes_sd_configs'))
    ?.split('```')[0];
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-scrape-')), 'prometheus.yaml');
  // Debian's promtool has no service discovery of Kubernetes.
  fs.writeFileSync(file, (configuration ?? '').replace(/^ *kubernetes_sd_configs:.*\n/m, ''));
  expect(await promtool('check', 'config', file)).toContain('SUCCESS');
  fs.rmSync(path.dirname(file), { recursive: true });
});
