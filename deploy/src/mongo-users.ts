import { createHmac } from 'node:crypto';
import { SERVICES, type ServiceName } from './service-plan.ts';

/** The users of a MongoDB of our own: one for each service that has a database, with rights on that alone. */
export interface MongoUsers {
  /** The key by which members of the replica set know each other. It gives all rights. */
  readonly key: string;
  /** Stands before the name of each database, and of the user that reads and writes it. */
  readonly databasePrefix: string;
}

/** The address that the gateway gets, which stores nothing: its setting has to be an address. */
const NO_MONGO = 'mongodb://none.invalid';

/** The password of each service that has a database, by the name of its environment variable. */
export function passwordVariables(key: string): Readonly<Record<string, string>> {
  const withDatabase = SERVICES.filter((service) => service !== 'gateway');
  return Object.fromEntries(
    withDatabase.map((service) => [
      `MONGODB_PASSWORD_${service.toUpperCase().replaceAll('-', '_')}`,
      passwordOf(service, key),
    ]),
  );
}

/** The address of the MongoDB at `address` for a service, with the login of the service's own user if `users` are given. */
export function mongoUriOf(service: ServiceName, address: string, users: MongoUsers | undefined): string {
  if (service === 'gateway') return NO_MONGO;
  if (users === undefined) return address;
  const user = encodeURIComponent(`${users.databasePrefix}${service.replaceAll('-', '_')}`);
  return address.replace('://', `://${user}:${passwordOf(service, users.key)}@`);
}

/** The address of a MongoDB of our own with the login of a member of its replica set, which may read and write everything. */
export function memberUriOf(address: string, key: string): string {
  return `${address.replace('://', `://__system:${key}@`)}&authSource=local&authMechanism=SCRAM-SHA-256`;
}

/** Computed from the one secret that an installation keeps. No service can compute that secret, or another password, from its own. */
function passwordOf(service: ServiceName, key: string): string {
  return createHmac('sha256', key).update(service).digest('hex');
}
