import { claimFolder, thisProcess } from '../claim.ts';
import { DataFolder } from '../data-folder.ts';
import { runMongo } from '../engines.ts';
import { memberUriOf } from '../mongo-users.ts';
import { RunRecord } from '../run-record.ts';
import { readSettings, type Settings } from '../settings.ts';
import { TroubleError } from '../trouble.ts';
import type { MongoPlace } from './databases.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The MongoDB that the person names, else that of the Tocsin that runs in the data folder. @throws TroubleError when there is none. */
export function runningPlace(environment: Environment, root: string): MongoPlace {
  const { dataFolder, databasePrefix, mongoUri } = settingsOf(environment, root);
  if (mongoUri !== undefined) return { uri: mongoUri, databasePrefix };
  const folder = new DataFolder(dataFolder);
  const address = new RunRecord(folder.runRecord).runningMongo();
  if (address === undefined)
    throw new TroubleError(
      `No Tocsin with a MongoDB of its own runs on ${dataFolder}. Start it, or name its MongoDB: MONGODB_URI=mongodb://…`,
    );
  return { uri: memberUriOf(address, folder.secrets(undefined).mongoKey), databasePrefix };
}

/**
 * Gives `work` the MongoDB that the person names, else that of the data folder, which it starts and stops.
 *
 * @throws TroubleError when a Tocsin runs in the data folder.
 */
export async function withStoppedPlace<T>(
  environment: Environment,
  root: string,
  { say, work }: { readonly say: (line: string) => void; readonly work: (place: MongoPlace) => Promise<T> },
): Promise<T> {
  const { dataFolder, databasePrefix, mongoUri } = settingsOf(environment, root);
  if (mongoUri !== undefined) return work({ uri: mongoUri, databasePrefix });
  const folder = new DataFolder(dataFolder);
  const record = new RunRecord(folder.runRecord);
  await claimFolder(folder, record);
  const { mongoKey: key } = folder.secrets(undefined);
  record.claim(thisProcess());
  try {
    const started = (name: string, pid: number, mark: string): void => {
      record.note({ name, pid, mark });
    };
    say(`Starting the MongoDB of ${dataFolder}`);
    const mongo = await runMongo(folder, { say, started }, { key, databasePrefix });
    try {
      return await work({ uri: memberUriOf(mongo.address, key), databasePrefix });
    } finally {
      await mongo.stop();
    }
  } finally {
    record.release();
  }
}

function settingsOf(environment: Environment, root: string): Settings {
  const result = readSettings(environment, [], root);
  if ('problems' in result) throw new TroubleError(result.problems.join('\n'));
  return result.settings;
}
