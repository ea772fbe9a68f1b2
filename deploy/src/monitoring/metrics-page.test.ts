import { describe, expect, it } from '@jest/globals';
import { METRICS } from '@tocsin/service';
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

  it('says of a label what it means for each metric that has it', () => {
    const of = (name: string) => METRICS[name as keyof typeof METRICS].labels as Readonly<Record<string, string>>;
    const page = metricsPage(METRICS);
    for (const name of ['tocsin_hand_overs_failed_total', 'tocsin_webhook_calls_total'])
      expect(page).toContain(`${of(name)['result']} (\`${name}\`)`);
  });
});
