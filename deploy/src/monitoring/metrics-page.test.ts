import { describe, expect, it } from '@jest/globals';
import { METRICS } from '@tocsin/observability';
import { metricsPage } from './metrics-page.ts';

describe('the page of metrics', () => {
  it('has each metric of the catalogue with what it means, and each label with its bound', () => {
    const page = metricsPage(METRICS);
    for (const [name, { help, labels }] of Object.entries(METRICS)) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` `));
      expect(row).toContain(help);
      for (const label of Object.keys(labels)) expect(row).toContain(`\`${label}\``);
    }
    for (const label of new Set(Object.values(METRICS).flatMap(({ labels }) => Object.keys(labels))))
      expect(page).toMatch(new RegExp(`^\\| \`${label}\` +\\| \\S`, 'm'));
  });
});
