import { z } from 'zod';
import type { ServiceName } from '@tocsin/events';
import { type KafkaSecurity, type KafkaSecurityResult, readKafkaSecurity } from '@tocsin/kafka';
import { mongoUriProblem } from '@tocsin/mongo';
import { readTraceSettings, type TraceSettings, type TraceSettingsResult } from './observability/index.ts';

const port = z.coerce.number().int().min(0).max(65_535);
const serviceUrl = (service: ServiceName) =>
  z.url('should be a URL such as http://127.0.0.1:3001').default(`http://${service}:3000`);

/** KafkaJS checks no addresses: with any other text it fails now and then, or waits for ever. */
function isBroker(address: string): boolean {
  const [, digits] = /^[^\s:/]+:(\d{1,5})$/.exec(address) ?? [];
  return Number(digits) >= 1 && Number(digits) <= 65_535;
}

const LOG_SHAPE = {
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
} as const;

/** Settings of Kafka. */
export const KAFKA_SHAPE = {
  ...LOG_SHAPE,
  KAFKA_BROKERS: z
    .string('is needed: host:port[,host:port…]')
    .transform((list) =>
      list
        .split(',')
        .map((broker) => broker.trim())
        .filter((broker) => broker !== ''),
    )
    .refine((brokers) => brokers.length > 0 && brokers.every(isBroker), 'should be host:port[,host:port…]'),
  KAFKA_TOPIC_PREFIX: z.string().default(''),
  /** Not a variable: the result of all `KAFKA_SSL…` and `KAFKA_SASL…` variables. */
  KAFKA: z.custom<KafkaSecurityResult>().transform((result, context): KafkaSecurity => {
    if ('security' in result) return result.security;
    for (const message of result.problems) context.addIssue(message);
    return z.NEVER;
  }),
} as const;

/** Settings of MongoDB. */
export const MONGO_SHAPE = {
  ...LOG_SHAPE,
  MONGODB_URI: z.string('is needed: mongodb://host:port/?replicaSet=…').check(({ value, issues }) => {
    const problem = mongoUriProblem(value);
    if (problem !== undefined) issues.push({ code: 'custom', message: problem, input: value });
  }),
  MONGODB_DATABASE_PREFIX: z.string().max(30).default('tocsin_'),
  /** Bounded, because MongoDB keeps the seconds of a TTL index in 32 bits. */
  REFUSED_RETENTION_DAYS: z.coerce.number().int().min(1).max(3_650).default(30),
} as const;

const COMMON_SHAPE = {
  ...KAFKA_SHAPE,
  ...MONGO_SHAPE,
  /** Unique among the processes of a service. */
  INSTANCE: z.string().min(1).default('0'),
  PORT: port.default(3_000),
  ADMIN_PORT: port.default(9_000),
  ADMIN_HOST: z.string().min(1).default('127.0.0.1'),
  HOST: z.string().min(1).default('0.0.0.0'),
  /** Longer than load balancers take to notice that a service is not ready. */
  STOP_WAIT_MS: z.coerce.number().int().min(0).max(5_000).default(2_000),
  /** How long the partitions of a dead process wait for another. 6 s is the shortest that brokers allow by default. */
  KAFKA_SESSION_TIMEOUT_MS: z.coerce.number().int().min(1_000).max(300_000).default(6_000),
  DATABASE_SETUP: z.enum(['make', 'verify']).default('make'),
  INTERNAL_SIGNING_KEY: z
    .string('is needed: one secret, or two separated by a comma while they rotate')
    .transform((keys) => keys.split(',').map((key) => key.trim()))
    .refine(
      (keys) => keys.length <= 2 && keys.every((key) => key.length >= 32),
      'needs 1 or 2 secrets of 32 characters',
    ),
  /** Not a variable: the result of all OpenTelemetry variables. */
  TRACES: z.custom<TraceSettingsResult>().transform((result, context): TraceSettings | undefined => {
    if ('settings' in result) return result.settings;
    for (const message of result.problems) context.addIssue(message);
    return z.NEVER;
  }),
  GATEWAY_URL: serviceUrl('gateway'),
  ALERT_INGEST_URL: serviceUrl('alert-ingest'),
  ALERT_PROCESSOR_URL: serviceUrl('alert-processor'),
  SCHEDULING_URL: serviceUrl('scheduling'),
  DIRECTORY_URL: serviceUrl('directory'),
  HEARTBEAT_MONITOR_URL: serviceUrl('heartbeat-monitor'),
  NOTIFIER_URL: serviceUrl('notifier'),
} as const;

type CommonEnvironment = z.output<z.ZodObject<typeof COMMON_SHAPE>>;

/** The settings of every service. */
export interface CommonConfig {
  readonly instance: string;
  readonly port: number;
  readonly adminPort: number;
  /** Where health and metrics are served, without authentication. */
  readonly adminHost: string;
  readonly host: string;
  readonly logLevel: CommonEnvironment['LOG_LEVEL'];
  readonly kafkaBrokers: readonly string[];
  readonly kafkaSecurity: KafkaSecurity;
  readonly topicPrefix: string;
  readonly sessionTimeoutMs: number;
  readonly stopWaitMs: number;
  readonly mongoUri: string;
  readonly databasePrefix: string;
  /** Whether this process creates the collections and indexes of its database, or waits until they exist. */
  readonly databaseSetup: 'make' | 'verify';
  /** How long messages are kept that no broker accepts. */
  readonly refusedRetentionDays: number;
  readonly signingKeys: readonly string[];
  /** Without it nothing is traced. */
  readonly traces: TraceSettings | undefined;
  readonly serviceUrls: Readonly<Record<ServiceName, string>>;
}

/** The part of a service's configuration that this package needs. */
export interface ServiceConfig {
  readonly common: CommonConfig;
}

type Capitalized<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Capitalize<Lowercase<Head>>}${Capitalized<Tail>}`
  : Capitalize<Lowercase<S>>;
type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalized<Tail>}`
  : Lowercase<S>;
type Extras<S extends z.ZodRawShape> = {
  readonly [K in keyof S & string as CamelCase<K>]: z.output<S[K]>;
};

/**
 * A schema that turns the environment into the frozen configuration of a service: `common`, and each variable of `extra` with its
 * name in camel case. It reports every problem at once. An empty variable counts as absent.
 */
export function serviceConfig<const S extends z.ZodRawShape>(extra: S): z.ZodType<ServiceConfig & Extras<S>> {
  const shape = z.object({ ...COMMON_SHAPE, ...extra }).transform((parsed) => {
    const environment = parsed as unknown as CommonEnvironment & Record<string, unknown>;
    const extras = Object.keys(extra).map((name) => [camelCase(name), environment[name]]);
    return Object.freeze({ common: commonConfig(environment), ...Object.fromEntries(extras) }) as ServiceConfig &
      Extras<S>;
  });
  return fromEnvironment(shape);
}

/** Applies `schema` to the environment. An empty variable counts as absent. */
export function fromEnvironment<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return z.preprocess(prepared, schema);
}

function commonConfig(environment: CommonEnvironment): CommonConfig {
  return Object.freeze({
    instance: environment.INSTANCE,
    port: environment.PORT,
    adminPort: environment.ADMIN_PORT,
    adminHost: environment.ADMIN_HOST,
    host: environment.HOST,
    logLevel: environment.LOG_LEVEL,
    kafkaBrokers: environment.KAFKA_BROKERS,
    kafkaSecurity: environment.KAFKA,
    topicPrefix: environment.KAFKA_TOPIC_PREFIX,
    sessionTimeoutMs: environment.KAFKA_SESSION_TIMEOUT_MS,
    stopWaitMs: environment.STOP_WAIT_MS,
    mongoUri: environment.MONGODB_URI,
    databasePrefix: environment.MONGODB_DATABASE_PREFIX,
    databaseSetup: environment.DATABASE_SETUP,
    refusedRetentionDays: environment.REFUSED_RETENTION_DAYS,
    signingKeys: environment.INTERNAL_SIGNING_KEY,
    traces: environment.TRACES,
    serviceUrls: Object.freeze({
      gateway: environment.GATEWAY_URL,
      'alert-ingest': environment.ALERT_INGEST_URL,
      'alert-processor': environment.ALERT_PROCESSOR_URL,
      scheduling: environment.SCHEDULING_URL,
      directory: environment.DIRECTORY_URL,
      'heartbeat-monitor': environment.HEARTBEAT_MONITOR_URL,
      notifier: environment.NOTIFIER_URL,
    }),
  });
}

const camelCase = (name: string): string =>
  name.toLowerCase().replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

function prepared(environment: unknown): unknown {
  const entries = Object.entries(environment as Record<string, string | undefined>).filter(([, value]) => value !== '');
  const given = Object.fromEntries(entries);
  return { ...given, KAFKA: readKafkaSecurity(given), TRACES: readTraceSettings(given) };
}

/** Every problem of the environment, one line each, for operators. */
export function configProblems(error: z.ZodError): readonly string[] {
  return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}
