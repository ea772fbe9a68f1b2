import { fileURLToPath } from 'node:url';
import { runCommand } from './run-command.ts';
import { terminal } from './terminal.ts';
import { TroubleError } from './trouble.ts';

const SCRIPT = fileURLToPath(new URL('prepare.ts', import.meta.url));
const WITHIN_MS = 60_000;
const FLAGS = [
  '--conditions=source',
  '--disable-warning=TimeoutNegativeWarning',
  '--disable-warning=ExperimentalWarning',
];

/** Makes sure that every topic of the installation exists; the terminal shows what was, or should be, changed on one that did. */
export async function createTopics(brokers: string, prefix: string): Promise<void> {
  const told = await prepare(
    `Kafka at ${brokers} did not create the topics (does it run? KAFKA_BROKERS)`,
    { KAFKA_BROKERS: brokers, KAFKA_TOPIC_PREFIX: prefix },
    'topics',
  );
  if (told !== '') terminal.complain(told);
}

/** Makes the mongod on `port` the primary of its replica set. */
export async function initiateReplicaSet(port: number): Promise<void> {
  await prepare('MongoDB did not become the primary of its replica set', {}, 'replica-set', String(port));
}

/** Makes sure that the MongoDB of the caller answers and can do transactions. The address may hold a password: not shown. */
export async function requireMongo(uri: string): Promise<string> {
  await prepare('The MongoDB of MONGODB_URI cannot be used', { MONGODB_URI: uri }, 'mongo');
  return uri;
}

/** Answers what was said. Addresses go by the environment, which other users cannot see, as they can the command line. */
async function prepare(
  trouble: string,
  addresses: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<string> {
  const { ok, output } = await runCommand(process.execPath, [...FLAGS, SCRIPT, ...args], {
    cwd: process.cwd(),
    env: { ...process.env, ...addresses, KAFKAJS_NO_PARTITIONER_WARNING: '1' },
    output: 'keep',
    signal: AbortSignal.timeout(WITHIN_MS),
  });
  if (!ok) throw new TroubleError(`${trouble}: ${output === '' ? `no answer within ${WITHIN_MS / 1000} s` : output}`);
  return output;
}
