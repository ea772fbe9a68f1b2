import { fileURLToPath } from 'node:url';
import { passwordVariables, type MongoUsers } from './mongo-users.ts';
import { runCommand } from './run-command.ts';
import { terminal } from './terminal.ts';
import { TroubleError } from './trouble.ts';

const SCRIPT = fileURLToPath(new URL('prepare.ts', import.meta.url));
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
/** The script that also initiates the replica sets of Docker Compose and of the demo of the chart. */
const REPLICA_SET = fileURLToPath(new URL('../../charts/tocsin/files/replica-set.mjs', import.meta.url));
const WITHIN_MS = 60_000;
const PRIMARY_WITHIN_S = 30;
const FLAGS = [
  '--conditions=source',
  '--disable-warning=TimeoutNegativeWarning',
  '--disable-warning=ExperimentalWarning',
];

/** Makes sure that every topic of the installation exists; the terminal shows what was, or should be, changed on one that did. */
export async function createTopics(brokers: string, prefix: string): Promise<void> {
  const output = await run(
    `Kafka at ${brokers} did not create the topics (does it run? KAFKA_BROKERS)`,
    { KAFKA_BROKERS: brokers, KAFKA_TOPIC_PREFIX: prefix },
    { script: [...FLAGS, SCRIPT, 'topics'], cwd: process.cwd() },
  );
  if (output !== '') terminal.complain(output);
}

/** Makes the mongod on `port` the primary of its replica set, and `users` with the rights that each service needs. */
export async function initiateReplicaSet(port: number, users: MongoUsers | undefined): Promise<void> {
  const logins = users && {
    MONGODB_DATABASE_PREFIX: users.databasePrefix,
    ...passwordVariables(users.key),
  };
  await run(
    'MongoDB did not become the primary of its replica set',
    {
      MEMBER: `127.0.0.1:${port}`,
      PREPARE_WITHIN_SECONDS: String(PRIMARY_WITHIN_S),
      MONGODB_KEY: users?.key,
      ...logins,
    },
    { script: [REPLICA_SET], cwd: REPOSITORY },
  );
}

/** Makes sure that the MongoDB of the caller answers and can do transactions. The address may hold a password: not shown. */
export async function requireMongo(uri: string): Promise<string> {
  await run(
    'The MongoDB of MONGODB_URI cannot be used',
    { MONGODB_URI: uri },
    { script: [...FLAGS, SCRIPT, 'mongo'], cwd: process.cwd() },
  );
  return uri;
}

/** Returns the output. Secrets are passed in the environment, because other users can see the command line. */
async function run(
  trouble: string,
  environment: Readonly<Record<string, string | undefined>>,
  { script, cwd }: { readonly script: readonly string[]; readonly cwd: string },
): Promise<string> {
  const { ok, output } = await runCommand(process.execPath, script, {
    cwd,
    env: { ...process.env, ...environment, KAFKAJS_NO_PARTITIONER_WARNING: '1' },
    output: 'keep',
    signal: AbortSignal.timeout(WITHIN_MS),
  });
  if (!ok) throw new TroubleError(`${trouble}: ${output === '' ? `no answer within ${WITHIN_MS / 1000} s` : output}`);
  return output;
}
