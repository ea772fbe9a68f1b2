import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { SERVICES } from '@tocsin/events';
import { eventually } from '@tocsin/testkit';
import { PrometheusApi, ruleFiles } from '../stack/prometheus.ts';
import { ADMIN_PORT } from '../stack/services.ts';
import { useSystem } from '../system.ts';

const system = useSystem();
let prometheus: PrometheusApi;

beforeAll(() => {
  prometheus = new PrometheusApi(system.prometheus);
});

const WITHIN = { everyMs: 500 };

describe('Prometheus', () => {
  it('reaches every service, and evaluates every rule that an installation is watched by', async () => {
    await eventually(async () => {
      const targets = await prometheus.targets();
      expect(targets.map(({ instance }) => instance).toSorted()).toEqual(
        SERVICES.map((service) => `${service}:${ADMIN_PORT}`).toSorted(),
      );
      expect(targets.filter(({ health }) => health !== 'up')).toEqual([]);
      const rules = await prometheus.rules();
      expect(new Set(rules.map(({ file }) => file))).toEqual(new Set(ruleFiles().map((file) => path.basename(file))));
      expect(rules.length).toBeGreaterThan(20);
      expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
    }, WITHIN);
  });

  it('measures within which time 95 of 100 alerts are processed and handed over', async () => {
    const scenario = system.scenario('measured');
    await scenario.users('ada');
    await scenario.alert({ alias: scenario.name('x'), message: 'Measured', responders: [scenario.user('ada')] });
    await system.mailbox.received(scenario.address('ada'), 'Measured');
    await eventually(async () => {
      const quantiles = await prometheus.query(
        'histogram_quantile(0.95, sum by (stage, le) (tocsin_alert_stage_seconds_bucket))',
      );
      const seconds = new Map(quantiles.map(({ labels, value }) => [labels['stage'], value]));
      expect(seconds.get('processed')).toBeGreaterThan(0);
      expect(seconds.get('handed-over')).toBeGreaterThan(0);
    }, WITHIN);
  });
});
