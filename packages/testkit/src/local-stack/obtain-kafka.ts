import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { filledOnce, MissingPartError, output, requireDigest, tried, type Say } from './downloads.ts';
import { classArchive, startKafkaBroker } from './kafka-broker.ts';
import { KAFKA_JARS, KAFKA_RELEASE } from './kafka-jars.ts';
import { freePort } from './ports.ts';

const OLDEST_JAVA = 17;

/**
 * Gives the folder with the jars of Kafka, each with exactly the tested bytes. Maven fetches them once, and they are kept in `dir`.
 *
 * @throws MissingPartError when Java 17 or Maven is missing, when Maven cannot reach its repository, or a jar differs.
 */
export async function obtainKafka(dir: string, say: Say): Promise<string> {
  await requireKafkaParts(dir);
  const target = folderIn(dir);
  await filledOnce(target, async (folder) => {
    say(`Kafka ${KAFKA_RELEASE.version}: downloading its jars (43 MB)`);
    await download(folder);
    await verify(path.join(folder, 'libs'));
  });
  const jars = path.join(target, 'libs');
  await archiveClasses(jars);
  return jars;
}

/**
 * Resolves when this machine has the programs that run Kafka and, unless the jars are in `dir` already, those that fetch them.
 *
 * @throws MissingPartError that names the first thing missing.
 */
async function requireKafkaParts(dir: string): Promise<void> {
  requireJava(await tried('java', ['-version']));
  if (existsSync(folderIn(dir)) || (await tried('mvn', ['--version'])) !== undefined) return;
  throw new MissingPartError(
    'Maven is missing, and Kafka comes through it. Install the package maven, or set KAFKA_BROKERS to a Kafka that runs.',
  );
}

const folderIn = (dir: string): string => path.join(dir, `kafka-${KAFKA_RELEASE.version}`);

/** Checks the answer of `java -version`; undefined stands for no answer. */
export function requireJava(answer: string | undefined): void {
  const version = /version "(?:1\.)?(\d+)/.exec(answer ?? '')?.[1];
  if (version !== undefined && Number(version) >= OLDEST_JAVA) return;
  const found = version === undefined ? 'is missing' : `is needed, this is Java ${version}`;
  throw new MissingPartError(
    `Java ${OLDEST_JAVA} ${found}. Install the package openjdk-17-jre-headless, or set KAFKA_BROKERS to a Kafka that runs.`,
  );
}

async function download(folder: string): Promise<void> {
  const pom = path.join(folder, 'pom.xml');
  await fs.writeFile(pom, projectOf(KAFKA_RELEASE.artifacts));
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${path.join(folder, 'libs')}`];
  const checked = ['-q', '-B', '--strict-checksums', '-f', pom];
  await output('mvn', [...checked, ...goal, '-DincludeScope=runtime']).catch((error: unknown) => {
    throw new MissingPartError(
      `Maven could not fetch Kafka: ${firstLine(error)}. Check the network, or set KAFKA_BROKERS to a Kafka that runs.`,
    );
  });
}

/** A project that depends on `artifacts`, each written `group:artifact:version`. */
export function projectOf(artifacts: readonly string[]): string {
  const dependencies = artifacts.map((artifact) => {
    const [group = '', name = '', version = ''] = artifact.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`;
  });
  return `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>tocsin</groupId><artifactId>kafka</artifactId><version>1</version>
<dependencies>${dependencies.join('')}</dependencies></project>`;
}

/** The class archive and our trust depend on these bytes, so an unknown jar is as wrong as a changed one. */
async function verify(libs: string): Promise<void> {
  const found = await fs.readdir(libs);
  const missing = [...KAFKA_JARS.keys()].filter((name) => !found.includes(name));
  if (missing.length > 0) throw new MissingPartError(`Maven left out ${missing.join(', ')}.`);
  for (const name of found) await requireDigest(path.join(libs, name), KAFKA_JARS.get(name));
}

/** Runs a broker once, for the archive that it writes when it ends. Where that fails, brokers only start slower. */
async function archiveClasses(jars: string): Promise<void> {
  if (existsSync(classArchive(jars))) return;
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'tocsin-archive-'));
  const archiveTo = path.join(dataDir, 'classes.jsa');
  try {
    const broker = await startKafkaBroker({ jars, dataDir, port: await freePort(), archiveTo });
    await broker.stop();
    const partial = `${classArchive(jars)}.${String(process.pid)}`;
    await fs.copyFile(archiveTo, partial);
    await fs.rename(partial, classArchive(jars));
  } catch {
    // Nothing depends on it.
  } finally {
    await fs.rm(dataDir, { recursive: true, force: true });
  }
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? ((error as { stdout?: string }).stdout ?? error.message) : String(error);
  return text.split('\n').find((line) => line.includes('ERROR')) ?? text.slice(0, 300);
}
