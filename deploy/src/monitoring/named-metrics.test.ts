import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/api';
import { METRICS, Metrics, type MetricDefinition } from '@tocsin/service';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FILES = path.join(ROOT, 'charts/tocsin/files');
const CATALOGUE: Readonly<Record<string, MetricDefinition>> = METRICS;
/** The labels that Prometheus and its service discovery add to every series, and those that our rules add. */
const USUAL = ['service', 'namespace', 'release', 'instance', 'job', 'le', 'slo'];
/** A series by its name, and its matchers where it has any. */
const SELECTOR = /(?<![\w"{])(?:tocsin[:_]|process_|nodejs_|ALERTS\b)[\w:]*(?:\{[^}]*\})?/g;

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

const rules = fs.readdirSync(path.join(FILES, 'rules')).flatMap((file) => {
  const { groups } = parse(fs.readFileSync(path.join(FILES, 'rules', file), 'utf8')) as {
    readonly groups: readonly { readonly rules: readonly Rule[] }[];
  };
  return groups.flatMap((group) => group.rules);
});
const recorded = new Set(rules.flatMap(({ record }) => record ?? []));
const alerts = rules.filter(({ alert }) => alert !== undefined);
const expressions = [...rules.map(({ expr }) => expr), ...dashboardExpressions()];

/** Every `expr` of a dashboard. */
function dashboardExpressions(): readonly string[] {
  const folder = path.join(FILES, 'dashboards');
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder).flatMap((file) => {
    const found: string[] = [];
    JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'), (key, value: unknown) => {
      if (key === 'expr' && typeof value === 'string') found.push(value);
      return value;
    });
    return found;
  });
}

/** Names of series in `expr`; words in strings are none. */
function seriesIn(expr: string): readonly string[] {
  return expr.replaceAll(/"[^"]*"/g, '""').match(/\b(?:tocsin|process|nodejs)[_:][\w:]+/g) ?? [];
}

/** `[name of the series, label]` of each matcher in `expr`. */
function matchersIn(expr: string): readonly (readonly [string, string])[] {
  return [...expr.matchAll(/\b(tocsin_\w+)\{([^}]*)\}/g)].flatMap(([, name = '', inside = '']) =>
    [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => [name, label] as const),
  );
}

const familyOf = (name: string): string => (name in CATALOGUE ? name : name.replace(/_(?:bucket|sum|count)$/, ''));

describe('rules and dashboards', () => {
  it('name only metrics that exist, with a suffix only where one is written', async () => {
    const { body } = await new Metrics('gateway').text();
    const written = new Set([...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    expect(rules.length).toBeGreaterThan(20);
    const named = expressions.flatMap(seriesIn).filter((name) => !recorded.has(name));
    const foreign = named.filter((name) => !name.startsWith('tocsin_'));
    expect(foreign.filter((name) => !written.has(name.replace(/_(?:bucket|sum|count)$/, '')))).toEqual([]);
    const wrong = named.filter((name) => {
      const metric = CATALOGUE[familyOf(name)];
      return name.startsWith('tocsin_') && (metric?.type === 'histogram') === (familyOf(name) === name);
    });
    expect(wrong).toEqual([]);
    expect(named.filter((name) => name.startsWith('tocsin_') && CATALOGUE[familyOf(name)] === undefined)).toEqual([]);
  });

  it('match and group only by labels that are there', () => {
    const all = new Set(Object.values(CATALOGUE).flatMap(({ labels }) => Object.keys(labels)));
    for (const [name, label] of expressions.flatMap(matchersIn))
      expect([...USUAL, ...Object.keys(CATALOGUE[familyOf(name)]?.labels ?? {})]).toContain(label);
    for (const expr of expressions)
      for (const [, list = ''] of expr.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g))
        for (const label of list.split(',').flatMap((one) => one.trim() || []))
          expect([...USUAL, 'alertname', 'severity', 'kind', ...all]).toContain(label);
  });

  it('choose the installation in every selector, so that no other in the same Prometheus counts', () => {
    const selectors = expressions.flatMap((expr) => expr.match(SELECTOR) ?? []);
    expect(selectors.length).toBeGreaterThan(100);
    expect(selectors.filter((one) => !/\{namespace=~"[^"]+",release=~"[^"]+"/.test(one))).toEqual([]);
  });

  it('keep installations apart wherever a rule adds up', () => {
    const aggregations = rules.flatMap(
      ({ expr }) => expr.match(/(?<![\w:])(?:sum|max|min|count|avg|group)\b\s*(?:by\s*\([^)]*\))?/g) ?? [],
    );
    expect(aggregations.length).toBeGreaterThan(40);
    expect(aggregations.filter((one) => !one.includes('by (namespace, release'))).toEqual([]);
  });

  it('count as writes of alerts what alert-ingest accepts, all of it', () => {
    const writes = OPERATIONS.filter(({ owner, domain }) => owner === 'alert-ingest' && domain === 'alert');
    const lists = rules.flatMap(({ expr }) => [...expr.matchAll(/operation=~"([^"]*)"/g)].map(([, list = '']) => list));
    expect(new Set(lists)).toEqual(new Set([writes.map(({ id }) => id).join('|')]));
  });

  it('ask for bounds that the histograms have', () => {
    for (const [, name = '', bound = ''] of expressions
      .join('\n')
      .matchAll(/\b(tocsin_\w+)_bucket\{[^}]*le=~"(\d+)\(\[\.\]0\)\?"/g))
      expect(CATALOGUE[name]?.buckets).toContain(Number(bound));
  });

  it('have for each alert a severity, what to do, and an entry in the runbook, which has no other', () => {
    const runbook = fs.readFileSync(path.join(ROOT, 'docs/runbook.md'), 'utf8');
    const entries = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    for (const { alert = '', labels, annotations } of alerts) {
      expect(['critical', 'warning', 'none']).toContain(labels?.['severity']);
      expect(annotations?.['summary']).toMatch(/\S/);
      expect(annotations?.['description']).toMatch(/\S/);
      expect(annotations?.['runbook_url']).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
    }
    expect(entries.toSorted()).toEqual(alerts.flatMap(({ alert }) => alert ?? []).toSorted());
  });

  it('have a test of each alert', () => {
    const folder = path.join(ROOT, 'deploy/monitoring');
    const tested = fs
      .readdirSync(folder)
      .map((file) => fs.readFileSync(path.join(folder, file), 'utf8'))
      .join('\n');
    for (const { alert = '' } of alerts) expect(tested).toMatch(new RegExp(`\\b${alert}\\b`));
  });
});
