import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { systemClock, NotFoundError } from '@tocsin/core';
import { DeadLetterRedrive, KafkaConnection, readKafkaSecurity } from '@tocsin/kafka';
import { DataFolder } from './data-folder.ts';
import { HELP, readCommand, type Command } from './dead-letters/command-line.ts';
import { LetterWork, type ExitCode, type Surface } from './dead-letters/letter-work.ts';
import { RunRecord, type KafkaPlace } from './run-record.ts';
import { readSettings } from './settings.ts';
import { terminal } from './terminal.ts';
import { explained, TroubleError } from './trouble.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore };

const surface: Surface = {
  ...terminal,
  confirm: async (question) => {
    if (!process.stdin.isTTY) return undefined;
    const asking = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
    try {
      const answer = await Promise.race([asking.question(question), once(asking, 'close').then(() => '')]);
      return /^y(es)?$/i.test(answer.trim());
    } finally {
      asking.close();
    }
  },
};

// The parent process is gone. The progress of the redrive is stored.
process.on('disconnect', () => process.exit(1));
const reading = readCommand(process.argv.slice(2), systemClock.now());
let code: ExitCode = 2;
if ('problem' in reading) terminal.complain(`${reading.problem}\nnpm run dead-letters -- help says more.`);
else code = await run(reading.command);
process.exit(code);

async function run(command: Command): Promise<ExitCode> {
  if (command.kind === 'help') {
    terminal.say(HELP);
    return 0;
  }
  try {
    return await work(command, kafkaPlace());
  } catch (error) {
    terminal.complain(explained(error));
    return 1;
  }
}

async function work(command: Exclude<Command, { kind: 'help' }>, place: KafkaPlace): Promise<ExitCode> {
  const { brokers, topicPrefix } = place;
  const reading = readKafkaSecurity(process.env);
  if ('problems' in reading) throw new TroubleError(reading.problems.join('\n'));
  const kafka = new KafkaConnection({
    brokers: brokers.split(','),
    clientId: 'tocsin-dead-letters',
    topicPrefix,
    logger: quiet,
    security: reading.security,
  });
  try {
    await kafka.requireAccess();
    return await new LetterWork({
      box: new DeadLetterRedrive({ kafka, clock: systemClock }),
      surface,
      topicPrefix,
    }).do(command);
  } catch (error) {
    if (error instanceof NotFoundError)
      throw new TroubleError(`${error.message} Is this the right Kafka, and KAFKA_TOPIC_PREFIX right?`);
    const reason = error instanceof Error ? error.message : String(error);
    throw new TroubleError(`Kafka at ${brokers} does not answer (does it run? KAFKA_BROKERS): ${reason}`);
  }
}

/** The Kafka that the person names, else that of the Tocsin that runs in the data folder. */
function kafkaPlace(): KafkaPlace {
  const result = readSettings(process.env, [], ROOT);
  if ('problems' in result) throw new TroubleError(result.problems.join('\n'));
  const { dataFolder, kafkaBrokers, topicPrefix } = result.settings;
  if (kafkaBrokers !== undefined) return { brokers: kafkaBrokers, topicPrefix };
  const running = new RunRecord(new DataFolder(dataFolder).runRecord).runningKafka();
  if (running === undefined)
    throw new TroubleError(`No Tocsin runs on ${dataFolder}. Start it, or name its Kafka: KAFKA_BROKERS=host:port.`);
  return topicPrefix === '' ? running : { ...running, topicPrefix };
}

function ignore(): void {
  // The user sees the message of an error once.
}
