import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SERVICES } from '@tocsin/events';
import { promtool } from './testing/promtool.ts';
import { rendered } from './testing/rendered.ts';

interface Installation {
  readonly namespace: string;
  readonly release: string;
}

interface Rule {
  readonly alert?: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
}

const PAGING = { namespace: 'paging', release: 'tocsin' };
const STAGING = { namespace: 'staging', release: 'tocsin' };
const SECOND = { namespace: 'paging', release: 'second' };
const ALL = [PAGING, STAGING, SECOND];
const RULES_ON = { 'monitoring.rules.enabled': true };

const groupsOf = async (
  installation: Installation,
  values = {},
): Promise<readonly { readonly rules: readonly Rule[] }[]> =>
  (await rendered({ set: 'minimal', ...installation, values: { ...RULES_ON, ...values } }))
    .filter(({ kind }) => kind === 'PrometheusRule')
    .flatMap(({ spec }) => (spec as { readonly groups: readonly { readonly rules: readonly Rule[] }[] }).groups);

const series = (name: string, { namespace, release }: Installation, labels: string, values: string): object => ({
  series: `${name}{namespace="${namespace}",release="${release}",${labels}}`,
  values,
});

/** All services of an installation, each until its minute; 90 minutes where none is said. */
const services = (installation: Installation, until: Readonly<Record<string, number>> = {}): readonly object[] =>
  SERVICES.map((service) =>
    series('tocsin_build_info', installation, `service="${service}"`, `1x${until[service] ?? 90} stale`),
  );

const firing = 'count by (alertname, namespace, release, service, slo) (ALERTS{alertstate="firing"})';
const watchdogs = ALL.map(({ namespace, release }) => ({
  labels: `{alertname="TocsinWatchdog",namespace="${namespace}",release="${release}"}`,
  value: 1,
}));

describe('three installations in one Prometheus, two of them in one namespace', () => {
  let folder: string;
  let files: readonly string[];

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-rules-'));
    files = await Promise.all(
      ALL.map(async (installation) => {
        const file = path.join(folder, `${installation.namespace}-${installation.release}.yaml`);
        // Names of groups differ by their files.
        fs.writeFileSync(file, JSON.stringify({ groups: await groupsOf(installation) }));
        return file;
      }),
    );
  });

  afterAll(() => {
    fs.rmSync(folder, { recursive: true });
  });

  const judge = async (input: readonly object[], minute: number, expected: readonly object[]): Promise<string> => {
    const file = path.join(folder, 'test.yaml');
    const expectation = { expr: firing, eval_time: `${minute}m`, exp_samples: [...watchdogs, ...expected] };
    const tests = [{ interval: '1m', input_series: input, promql_expr_test: [expectation] }];
    fs.writeFileSync(file, JSON.stringify({ rule_files: files, evaluation_interval: '1m', tests }));
    return promtool('test', 'rules', file);
  };

  test('nothing is missing while each has its services', async () => {
    const input = ALL.flatMap((installation) => services(installation));
    expect(await judge(input, 60, [])).toContain('SUCCESS');
  });

  test('a service that is missing in one of them fires the alert of that one alone', async () => {
    const input = [...services(PAGING), ...services(STAGING, { gateway: 10 }), ...services(SECOND, { notifier: 10 })];
    const expected = [
      { labels: '{alertname="TocsinServiceMissing",namespace="staging",release="tocsin",service="gateway"}', value: 1 },
      { labels: '{alertname="TocsinServiceMissing",namespace="paging",release="second",service="notifier"}', value: 1 },
    ];
    expect(await judge(input, 30, expected)).toContain('SUCCESS');
  });

  test('an installation of which nothing is left fires an alert for each service', async () => {
    const expected = SERVICES.map((service) => ({
      labels: `{alertname="TocsinServiceMissing",namespace="staging",release="tocsin",service="${service}"}`,
      value: 1,
    }));
    expect(await judge([...services(PAGING), ...services(SECOND)], 30, expected)).toContain('SUCCESS');
  });

  test('writes that fail in one of them burn the budget of that one, however many succeed in the others', async () => {
    const writes = (installation: Installation, status: number, values: string): object =>
      series(
        'tocsin_http_request_duration_seconds_count',
        installation,
        `service="gateway",operation="create-alert",status="${status}"`,
        values,
      );
    const processed = (installation: Installation): readonly object[] => [
      series('tocsin_alert_stage_seconds_count', installation, 'stage="processed"', '0+10x90'),
      series('tocsin_alert_stage_seconds_bucket', installation, 'stage="processed",le="1"', '0+10x90'),
    ];
    const input = ALL.flatMap((installation) => [...services(installation), ...processed(installation)]);
    const load = [writes(PAGING, 202, '0+9000x90'), writes(STAGING, 202, '0+80x90'), writes(STAGING, 500, '0+20x90')];
    const here = 'namespace="staging",release="tocsin"';
    const expected = [
      { labels: `{alertname="TocsinBudgetBurnsFast",${here},slo="ingest"}`, value: 1 },
      { labels: `{alertname="TocsinServerErrors",${here},service="gateway"}`, value: 1 },
    ];
    expect(await judge([...input, ...load], 80, expected)).toContain('SUCCESS');
  });
});

test('every rule of a release looks at its own series alone, and says whose it is', async () => {
  const rules = (await groupsOf(PAGING)).flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(60);
  const selectors = rules.flatMap(
    ({ expr }) => expr.match(/\b(?:tocsin|process|nodejs)[_:][\w:]+(?:\{[^}]*\})?/g) ?? [],
  );
  expect(selectors.filter((one) => !one.includes('{namespace="paging",release="tocsin"'))).toEqual([]);
  expect(rules.filter(({ labels }) => labels['namespace'] !== 'paging' || labels['release'] !== 'tocsin')).toEqual([]);
});

test('an alert that is switched off is not there, and the others are', async () => {
  const namesWith = async (values: object): Promise<readonly string[]> =>
    (await groupsOf(PAGING, values)).flatMap(({ rules }) => rules.flatMap(({ alert }) => alert ?? []));
  const all = await namesWith({});
  const without = ['TocsinMailsRefused', 'TocsinUnknownKeys'];
  expect(await namesWith({ 'monitoring.rules.disabled': without })).toEqual(
    all.filter((one) => !without.includes(one)),
  );
});
