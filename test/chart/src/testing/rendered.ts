import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { obtainHelm, downloads } from '@tocsin/testkit';
import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from './kubernetes-object.ts';

const run = promisify(execFile);

/** The folder of the chart. */
export const CHART = fileURLToPath(new URL('../../../../charts/tocsin', import.meta.url));
/** The cluster that is rendered for. */
export const KUBERNETES_VERSION = '1.33.0';
export const NAMESPACE = 'paging';
export const RELEASE = 'tocsin';

/** The value sets that every promise of the chart is held to, by their names. */
export const VALUE_SETS: readonly string[] = fs
  .readdirSync(path.join(CHART, 'ci'))
  .filter((file) => file.endsWith('-values.yaml'))
  .map((file) => file.replace('-values.yaml', ''))
  .toSorted();

export const valuesFile = (set: string): string => path.join(CHART, 'ci', `${set}-values.yaml`);

/** The values to render: a set of values with `values` over it, each `path.to.key=value` as JSON. */
export interface Rendering {
  readonly set: string;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly namespace?: string;
  readonly release?: string;
}

/**
 * The objects that Helm renders.
 *
 * @throws what Helm says where it refuses to.
 */
export async function rendered(rendering: Rendering): Promise<readonly KubernetesObject[]> {
  return parsed(await renderedText(rendering));
}

/** The same as text, all documents in one. */
export async function renderedText({
  set,
  values = {},
  namespace = NAMESPACE,
  release = RELEASE,
}: Rendering): Promise<string> {
  const over = Object.entries(values).flatMap(([key, value]) => ['--set-json', `${key}=${JSON.stringify(value)}`]);
  const args = ['template', release, CHART, '--namespace', namespace, '--kube-version', KUBERNETES_VERSION];
  return runHelm([...args, '--values', valuesFile(set), ...over]);
}

/** Every object of some YAML documents; a document that says a key twice is refused. */
export function parsed(text: string): readonly KubernetesObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    const object = document.toJS() as Omit<KubernetesObject, 'spec'> | null;
    return object === null ? [] : [{ spec: {}, ...object }];
  });
}

/** @throws Error whose message is what Helm said. */
export async function runHelm(args: readonly string[]): Promise<string> {
  const helm = await obtainHelm(downloads(), (line) => process.stderr.write(`${line}\n`));
  const { stdout } = await run(helm, [...args], { maxBuffer: 64 * 1024 * 1024 }).catch((error: unknown) => {
    throw new Error((error as { readonly stderr: string }).stderr, { cause: error });
  });
  return stdout;
}
