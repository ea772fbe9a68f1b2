import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVICES } from '@tocsin/events';
import type { StartedNetwork } from 'testcontainers';
import { Part } from './part.ts';
import { ADMIN_PORT } from './services.ts';

const PROMETHEUS_PORT = 9_090;

const RULES = fileURLToPath(new URL('../../../../charts/tocsin/files/rules/', import.meta.url));

/** The files of rules that an installation is watched by. */
export const ruleFiles = (): readonly string[] =>
  fs.globSync('*.yaml', { cwd: RULES }).map((name) => path.join(RULES, name));

const CONFIGURATION = `global:
  scrape_interval: 1s
  evaluation_interval: 1s
rule_files:
  - /etc/prometheus/rules/*.yaml
scrape_configs:
  - job_name: tocsin
    static_configs:
      - targets: [${SERVICES.map((service) => `'${service}:${ADMIN_PORT}'`).join(', ')}]
`;

/** A Prometheus that scrapes every service and judges by the rules of the chart. */
export async function startPrometheus(image: string, network: StartedNetwork, run: string): Promise<Part> {
  const rules = ruleFiles().map(
    (file) => [`/etc/prometheus/rules/${path.basename(file)}`, fs.readFileSync(file, 'utf8')] as const,
  );
  const files = { '/etc/prometheus/prometheus.yml': CONFIGURATION, ...Object.fromEntries<string>(rules) };
  const part = await Part.start({ name: 'prometheus', image, network, files, ports: [PROMETHEUS_PORT] }, run);
  await part.answers(PROMETHEUS_PORT, '/-/ready');
  return part;
}

interface Answer<T> {
  readonly status: string;
  readonly error?: string;
  readonly data: T;
}

interface LoadedRule {
  readonly name: string;
  readonly health: string;
  readonly lastError?: string;
}

/** Asks a Prometheus by its HTTP API. */
export class PrometheusApi {
  readonly #part: Part;

  constructor(part: Part) {
    this.#part = part;
  }

  /** The value of each series of an expression, by the series' labels. */
  async query(
    expression: string,
  ): Promise<readonly { readonly labels: Record<string, string>; readonly value: number }[]> {
    const { result } = await this.#ask<{
      readonly result: readonly {
        readonly metric: Record<string, string>;
        readonly value: readonly [number, string];
      }[];
    }>(`query?query=${encodeURIComponent(expression)}`);
    return result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
  }

  /** Every target, whether it is up, and what went wrong at its last scrape. */
  async targets(): Promise<
    readonly { readonly instance: string; readonly health: string; readonly lastError: string }[]
  > {
    const { activeTargets } = await this.#ask<{
      readonly activeTargets: readonly {
        readonly labels: { readonly instance: string };
        readonly health: string;
        readonly lastError: string;
      }[];
    }>('targets');
    return activeTargets.map(({ labels, health, lastError }) => ({ instance: labels.instance, health, lastError }));
  }

  /** Every rule that was loaded, of which file it is, and what went wrong at its last evaluation. */
  async rules(): Promise<readonly (LoadedRule & { readonly file: string })[]> {
    const { groups } = await this.#ask<{
      readonly groups: readonly { readonly file: string; readonly rules: readonly LoadedRule[] }[];
    }>('rules');
    return groups.flatMap(({ file, rules }) => rules.map((rule) => ({ ...rule, file: path.basename(file) })));
  }

  async #ask<T>(what: string): Promise<T> {
    const response = await fetch(`http://${this.#part.address(PROMETHEUS_PORT)}/api/v1/${what}`);
    const answer = (await response.json()) as Answer<T>;
    if (answer.status !== 'success') throw new Error(`Prometheus refuses ${what}: ${answer.error ?? ''}`);
    return answer.data;
  }
}
