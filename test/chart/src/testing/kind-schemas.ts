import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { obtainGoModule, downloads } from '@tocsin/testkit';
import { parse } from 'yaml';
import { KUBERNETES_VERSION } from './rendered.ts';

/** The release whose description of its own kinds is taken. */
const KUBERNETES_RELEASE = '1.33.13';

/** Definitions of kinds that others add, by the Go module that brings them. */
const DEFINITIONS: readonly { readonly module: string; readonly version: string; readonly files: readonly string[] }[] =
  [
    {
      module: 'github.com/prometheus-operator/prometheus-operator',
      version: '0.85.0',
      files: ['podmonitors', 'servicemonitors', 'prometheusrules'].map(
        (kind) => `example/prometheus-operator-crd/monitoring.coreos.com_${kind}.yaml`,
      ),
    },
    {
      module: 'github.com/kedacore/keda/v2',
      version: '2.20.2',
      files: ['config/crd/bases/keda.sh_scaledobjects.yaml'],
    },
    {
      module: 'sigs.k8s.io/gateway-api',
      version: '1.6.3',
      files: ['config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
    },
    {
      module: 'github.com/mongodb/mongodb-kubernetes-operator',
      version: '0.9.0',
      files: ['config/crd/bases/mongodbcommunity.mongodb.com_mongodbcommunity.yaml'],
    },
  ];

/** Those of Strimzi come in no module. */
const KEPT = fileURLToPath(new URL('../../schemas', import.meta.url));

interface Schema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

type Described = Schema & {
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
};

/** Where kubeconform finds the schema of a kind in the folder. */
export const schemaLocation = (folder: string): string =>
  path.join(folder, '{{ .ResourceKind }}{{ .KindSuffix }}.json');

/** Writes a schema for every kind of Kubernetes and of the operators that we render for. None lets a field pass that it does not know. */
export async function writeKindSchemas(folder: string): Promise<void> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const kubernetes = await obtainGoModule(downloads(), 'k8s.io/kubernetes', KUBERNETES_RELEASE, say);
  if (!KUBERNETES_RELEASE.startsWith(KUBERNETES_VERSION.replace(/\.\d+$/, '.')))
    throw new Error(`Schemas of ${KUBERNETES_RELEASE} do not belong to a cluster of ${KUBERNETES_VERSION}.`);
  await writeOwnKinds(path.join(kubernetes, 'api/openapi-spec/swagger.json'), folder);
  for (const { module, version, files } of DEFINITIONS) {
    const sources = await obtainGoModule(downloads(), module, version, say);
    for (const file of files) await writeDefinition(path.join(sources, file), folder);
  }
  for (const file of await fs.readdir(KEPT)) await writeDefinition(path.join(KEPT, file), folder);
}

async function writeOwnKinds(file: string, folder: string): Promise<void> {
  const { definitions } = JSON.parse(await fs.readFile(file, 'utf8')) as {
    readonly definitions: Readonly<Record<string, Described>>;
  };
  const strict = Object.fromEntries(Object.entries(definitions).map(([name, schema]) => [name, strictly(schema)]));
  await fs.writeFile(path.join(folder, 'definitions.json'), JSON.stringify({ definitions: strict }));
  for (const [name, schema] of Object.entries(definitions)) {
    for (const { group, version, kind } of schema['x-kubernetes-group-version-kind'] ?? []) {
      const reference = { $ref: `definitions.json#/definitions/${name}` };
      await fs.writeFile(path.join(folder, fileOf(group, version, kind)), JSON.stringify(reference));
    }
  }
}

async function writeDefinition(file: string, folder: string): Promise<void> {
  const { spec } = parse(await fs.readFile(file, 'utf8')) as Definition;
  for (const { name, schema } of spec.versions) {
    const target = path.join(folder, fileOf(spec.group, name, spec.names.kind));
    await fs.writeFile(target, JSON.stringify(strictly(schema.openAPIV3Schema)));
  }
}

/** As kubeconform names it. */
function fileOf(group: string, version: string, kind: string): string {
  const [first = ''] = group.split('.');
  return `${[kind, ...(first === '' ? [] : [first]), version].join('-').toLowerCase()}.json`;
}

/** The schema without what only Kubernetes understands, and with every field that an object may have named. */
function strictly(schema: Schema): Schema {
  if (schema['format'] === 'int-or-string' || schema['x-kubernetes-int-or-string'] === true)
    return { type: ['integer', 'string'] };
  const { properties, items, additionalProperties, ...rest } = schema;
  const isOpen = additionalProperties !== undefined || schema['x-kubernetes-preserve-unknown-fields'] === true;
  return {
    ...withoutFormat(rest),
    ...(properties && { properties: mapped(properties) }),
    ...(items !== undefined && { items: strictly(items as Schema) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: strictly(additionalProperties as Schema) }),
    ...(properties && !isOpen && { additionalProperties: false }),
  };
}

function mapped(properties: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, strictly(schema)]));
}

/** Formats and markers of Kubernetes are no keywords; `default` and `description` say nothing about a value. */
function withoutFormat(schema: Schema): Schema {
  const said = Object.entries(schema).filter(
    ([keyword]) => !keyword.startsWith('x-') && !['format', 'description', 'default'].includes(keyword),
  );
  const $ref = schema['$ref'];
  // `$ref` of the description of Kubernetes leads to its own definitions: all of them are in one file.
  return Object.fromEntries(typeof $ref === 'string' ? [['$ref', $ref]] : said);
}
