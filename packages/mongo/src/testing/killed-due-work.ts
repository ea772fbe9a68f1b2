/**
 * A process of its own that does the due work, and kills itself at a point. Arguments: URI, database, the {@link PointOfDeath} as
 * JSON.
 */
import { dieAt, monitoredUri, type PointOfDeath } from '@tocsin/testkit';
import { connectMongo } from '../index.ts';
import { DueProcess } from './due-stage.ts';

const [uri = '', database = '', point = ''] = process.argv.slice(2);
const connection = await connectMongo({ uri: monitoredUri(uri), database });
dieAt(connection.getClient(), JSON.parse(point) as PointOfDeath);
await new DueProcess(connection, {}).activate();
