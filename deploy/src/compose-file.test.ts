import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { SERVICES } from './service-plan.ts';
import { passwordVariables } from './mongo-users.ts';

interface Container {
  readonly image: string;
  readonly build?: {
    readonly context: string;
    readonly dockerfile: string;
    readonly args: Readonly<Record<string, string>>;
  };
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly restart: string;
  readonly stop_grace_period?: string;
  readonly mem_limit?: string;
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly extra_hosts?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly privileged?: boolean;
  readonly networks: readonly string[];
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Container>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
}

interface Bounded {
  readonly resources: { readonly limits: { readonly memory: string } };
}

interface ChartValues {
  readonly defaults: Bounded;
  readonly services: Readonly<Record<string, Partial<Bounded>>>;
}

const DEPLOY = new URL('../', import.meta.url);
const textOf = (file: string): string => fs.readFileSync(new URL(file, DEPLOY), 'utf8');
const read = (file: string): ComposeFile => parse(textOf(file), { merge: true }) as ComposeFile;

const compose = read('compose.yaml');
const containers = Object.entries(compose.services);
const preparations = containers.filter(([name]) => /^(prepare-.*|replica-set)$/.test(name));
const servers = containers.filter((entry) => !preparations.includes(entry));
const container = (name: string): Container => compose.services[name] ?? missing(name);
const missing = (name: string): never => {
  throw new Error(`no ${name}`);
};
const hasDatabase = (service: string): boolean => service !== 'gateway';

describe('compose.yaml', () => {
  test('has the seven services, the engines, the mailbox and the pages of metrics, and no others', () => {
    const parts = [...SERVICES, 'kafka', 'mongo', 'mailbox', 'prometheus', 'grafana'];

    expect(servers.map(([name]) => name).sort()).toEqual(parts.sort());
  });

  test.each(containers)('%s can change nothing but its own folders, and has no rights of root', (_, each) => {
    expect(each).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(each.tmpfs).toContain('/tmp');
    expect(each.mem_limit).toMatch(/^\d+[mg]$/);
    expect(each.privileged).toBeUndefined();
  });

  test.each(SERVICES)('%s may take as much memory as in the chart', (service) => {
    const { defaults, services } = parse(textOf('../charts/tocsin/values.yaml')) as ChartValues;
    const inChart = services[service]?.resources?.limits.memory ?? defaults.resources.limits.memory;

    expect(Number.parseInt(container(service).mem_limit ?? '', 10)).toBeGreaterThanOrEqual(
      Number.parseInt(inChart, 10),
    );
    expect([inChart, container(service).mem_limit]).toEqual([
      expect.stringMatching(/^\d+Mi$/),
      expect.stringMatching(/^\d+m$/),
    ]);
  });

  test.each(servers)('%s is looked after: its health, its restart, thirty seconds to end', (_, each) => {
    expect(each.healthcheck?.test?.[0]).toBe('CMD');
    // YAML reads words with a colon as something else.
    expect(each.healthcheck?.test?.map((word) => typeof word)).not.toContain('object');
    expect(each).toMatchObject({ restart: 'unless-stopped', stop_grace_period: '30s' });
  });

  test.each(preparations)('%s runs once, and its end is what is waited for', (name, each) => {
    expect(each).toMatchObject({ restart: 'no', healthcheck: { disable: true } });
    const waiting = containers.flatMap(([, { depends_on: on }]) => on?.[name]?.condition ?? []);
    expect(new Set(waiting)).toEqual(new Set(['service_completed_successfully']));
  });

  test.each(SERVICES)('%s starts after its topics and, where it has one, its database', (service) => {
    const { depends_on: on = {} } = container(service);
    const database = hasDatabase(service) ? [`prepare-${service}`] : [];

    expect(Object.keys(on)).toEqual(['prepare-topics', ...database]);
    expect(container('prepare-topics').command).toEqual(['prepare-topics']);
    for (const name of database)
      expect(container(name)).toMatchObject({ command: ['prepare-database'], image: container(service).image });
  });

  test.each(SERVICES)('%s is built of this repository, and only looks at the database', (service) => {
    expect(container(service)).toMatchObject({
      build: { context: '..', dockerfile: 'deploy/Dockerfile', args: { SERVICE: service } },
      environment: { DATABASE_SETUP: 'verify', ADMIN_HOST: '0.0.0.0' },
    });
  });

  test.each(containers)('%s has an image that a variable replaces', (_, { image }) => {
    expect(image).toMatch(/^\$\{TOCSIN_\w+:-[\w./:-]+\}/);
  });

  test('publishes the API where TOCSIN_BIND says, loopback by default, the pages on loopback alone, and nothing else', () => {
    const published = servers.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port] as const));

    expect(published.map(([name]) => name).sort()).toEqual(['gateway', 'grafana', 'mailbox', 'prometheus']);
    for (const [name, port] of published)
      expect(port).toMatch(
        name === 'gateway'
          ? /^\$\{TOCSIN_BIND:-127\.0\.0\.1\}:\$\{GATEWAY_PORT:-8080\}:3000$/
          : /^127\.0\.0\.1:\$\{\w+_PORT:-\d+\}:\d+$/,
      );
  });

  test('keeps each engine on a network of its own, which reaches nothing else and has those alone who use it', () => {
    const on = (network: string) =>
      containers.filter(([, { networks }]) => networks.includes(network)).map(([name]) => name);
    const withDatabase = SERVICES.filter(hasDatabase);

    expect([container('kafka').networks, container('mongo').networks]).toEqual([['kafka'], ['mongo']]);
    expect([compose.networks['kafka'], compose.networks['mongo']]).toEqual([{ internal: true }, { internal: true }]);
    expect(on('kafka').sort()).toEqual([...SERVICES, 'kafka', 'prepare-topics'].sort());
    expect(on('mongo').sort()).toEqual(
      [...withDatabase, ...withDatabase.map((name) => `prepare-${name}`), 'mongo', 'replica-set'].sort(),
    );
    expect(on('edge').sort()).toEqual(['gateway', 'grafana', 'mailbox', 'prometheus']);
  });

  test.each(SERVICES.filter(hasDatabase))('%s logs in at MongoDB as itself, and so does its preparation', (service) => {
    const user = `tocsin_${service.replaceAll('-', '_')}`;
    const password = `MONGODB_PASSWORD_${service.replaceAll('-', '_').toUpperCase()}`;
    const asItself = new RegExp(
      `^mongodb://${user}:\\$\\{${password}:\\?is needed[.].*make-secrets[^}]*\\}@mongo:27017/`,
    );

    for (const name of [service, `prepare-${service}`])
      expect(container(name).environment?.['MONGODB_URI']).toMatch(asItself);
  });

  test('MongoDB needs a login, and one container alone knows all passwords: that which makes the users', () => {
    const knows = (pattern: RegExp) =>
      containers
        .filter(([, { environment = {} }]) => Object.keys(environment).some((name) => pattern.test(name)))
        .map(([name]) => name);
    const made = Object.keys(container('replica-set').environment ?? {}).filter((name) => name.includes('PASSWORD'));

    const logins = ['--keyFile=/tmp/mongo.key', '--setParameter=enableLocalhostAuthBypass=false'];
    expect(container('mongo').command).toEqual(expect.arrayContaining(logins));
    expect(made.sort()).toEqual(Object.keys(passwordVariables('m')).sort());
    expect(knows(/^MONGODB_PASSWORD_/)).toEqual(['replica-set']);
    expect(knows(/^MONGODB_KEY$/)).toEqual(['replica-set', 'mongo']);
    expect(container('gateway').environment?.['MONGODB_URI']).toBe('mongodb://none.invalid');
  });

  test('names no secret: each comes from outside, and is asked for by a sentence that says how', () => {
    const secret = /KEY|PASSWORD|SECRET|TOKEN/;
    const settings = containers.flatMap(([, { environment = {} }]) => Object.entries(environment));
    const secrets = settings.filter(([name]) => secret.test(name));

    expect(secrets.map(([name]) => name)).toContain('BOOTSTRAP_API_KEY');
    for (const [name, value] of secrets)
      expect(value).toMatch(new RegExp(`^\\$\\{${name}:(\\?is needed[.].*make-secrets|-)`));
  });

  test.each(containers)('what %s mounts of this repository is there, and cannot be written', (_, { volumes = [] }) => {
    const files = volumes.filter((volume) => volume.startsWith('.'));
    const named = volumes.filter((volume) => !volume.startsWith('.')).map((volume) => volume.split(':')[0]);

    expect(files.filter((file) => !file.endsWith(':ro'))).toEqual([]);
    expect(files.filter((file) => !fs.existsSync(new URL(file.split(':')[0] ?? '', DEPLOY)))).toEqual([]);
    expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(named));
  });

  test('has Prometheus ask every service', () => {
    const { scrape_configs: jobs } = parse(textOf('compose/prometheus.yaml')) as {
      scrape_configs: readonly { static_configs: readonly { targets: readonly string[] }[] }[];
    };
    const targets = jobs.flatMap((job) => job.static_configs.flatMap((each) => each.targets));

    expect(targets.sort()).toEqual(SERVICES.map((service) => `${service}:9000`).sort());
  });
});

describe('the settings in compose.yaml', () => {
  const known = new Map<string, ReadonlySet<string>>();
  beforeAll(async () => {
    for (const service of SERVICES) {
      const config = fileURLToPath(new URL(`../services/${service}/src/config.ts`, DEPLOY));
      const { Config } = (await import(config)) as { Config: Schema };
      known.set(service, new Set(variablesOf(Config)));
    }
  });

  test.each(SERVICES)('%s knows each of its own', (service) => {
    const names = Object.keys(container(service).environment ?? {}).filter((name) => !name.startsWith('OTEL_'));

    expect(names.filter((name) => known.get(service)?.has(name) !== true)).toEqual([]);
  });

  test.each(SERVICES)(
    '%s gets those of traces, but for the name that is its own, and finds a collector on this machine',
    (service) => {
      const traces = textOf('../docs/operations.md').matchAll(/^\| `(OTEL_\w+)`/gm);
      const names = [...traces].map(([, name = '']) => name).filter((name) => name !== 'OTEL_SERVICE_NAME');

      expect(names).toContain('OTEL_EXPORTER_OTLP_ENDPOINT');
      for (const name of names) expect(container(service).environment?.[name]).toBe(`\${${name}:-}`);
      expect(container(service).extra_hosts).toEqual(['host.docker.internal:host-gateway']);
    },
  );

  test('are described where they are of a preparation', () => {
    const names = preparations
      .filter(([name]) => name.startsWith('prepare-'))
      .flatMap(([, { environment = {} }]) => Object.keys(environment));
    const described = textOf('../docs/operations.md');

    for (const name of names) expect(described).toContain(`\`${name}\``);
  });
});

describe('mail-in.yaml', () => {
  test('adds to a container of compose.yaml', () => {
    for (const name of Object.keys(read('compose/mail-in.yaml').services))
      expect(Object.keys(compose.services)).toContain(name);
  });

  test('opens mail alone, at the address that opens it without Docker', () => {
    const ports = Object.values(read('compose/mail-in.yaml').services).flatMap((each) => each.ports ?? []);
    expect(ports).toEqual(['${SMTP_HOST:-127.0.0.1}:${SMTP_PORT:-2525}:2525']);
  });
});

interface Schema {
  readonly def: { readonly shape?: Readonly<Record<string, unknown>>; readonly in?: Schema; readonly out?: Schema };
}

/** The variables of a service's schema, which is wrapped in what prepares and checks it. */
function variablesOf(schema: Schema | undefined): readonly string[] {
  if (schema === undefined) return [];
  const { shape, in: before, out: after } = schema.def;
  return shape === undefined ? [...variablesOf(before), ...variablesOf(after)] : Object.keys(shape);
}
