import { expect, test } from '@jest/globals';
import { SERVICES } from '@tocsin/events';
import { podsOf, type KubernetesObject } from './testing/kubernetes-object.ts';
import { rendered } from './testing/rendered.ts';

const WITH_DATABASE = SERVICES.filter((service) => service !== 'gateway');

/** Where each container takes the address of MongoDB from, by its name: `<Secret>/<key>`; pods of services and of the Job that prepares. */
function addresses(objects: readonly KubernetesObject[], component: string): ReadonlyMap<string, string> {
  const pods = podsOf(objects).filter((pod) => pod.component === component);
  return new Map(
    pods.flatMap(({ containers }) =>
      containers.flatMap(({ name, env = [] }) => {
        const ref = env.find((entry) => entry.name === 'MONGODB_URI')?.valueFrom?.['secretKeyRef'];
        const { name: secret, key } = (ref ?? {}) as { readonly name?: string; readonly key?: string };
        return secret === undefined ? [] : [[name, `${secret}/${key ?? ''}`] as const];
      }),
    ),
  );
}

test('each service has the address of its own user, and so has its step of the preparation', async () => {
  const uriKeys = Object.fromEntries(WITH_DATABASE.map((service) => [service, `of-${service}`]));
  const objects = await rendered({ set: 'minimal', values: { 'mongodb.uriKeys': uriKeys } });
  const prepared = addresses(objects, 'prepare');
  for (const service of WITH_DATABASE) {
    expect(addresses(objects, service).get(service)).toBe(`tocsin-mongodb/of-${service}`);
    expect(prepared.get(service)).toBe(`tocsin-mongodb/of-${service}`);
  }
});

test('a service without a key of its own has that of all', async () => {
  const objects = await rendered({ set: 'minimal', values: { 'mongodb.uriKeys': { directory: 'mine' } } });
  expect(addresses(objects, 'directory').get('directory')).toBe('tocsin-mongodb/mine');
  expect(addresses(objects, 'notifier').get('notifier')).toBe('tocsin-mongodb/uri');
});

test('the operator is asked for a user for each service, with rights on its own database alone', async () => {
  const objects = await rendered({ set: 'operators' });
  const { users } = objects.find(({ kind }) => kind === 'MongoDBCommunity')?.spec as unknown as {
    readonly users: readonly {
      readonly name: string;
      readonly passwordSecretRef: { readonly key: string };
      readonly scramCredentialsSecretName: string;
      readonly connectionStringSecretName: string;
      readonly roles: readonly { readonly name: string; readonly db: string }[];
    }[];
  };
  expect(users.map(({ name }) => name).toSorted()).toEqual(
    WITH_DATABASE.map((service) => `tocsin-${service}`).toSorted(),
  );
  const prepared = addresses(objects, 'prepare');
  for (const user of users) {
    const service = user.name.replace('tocsin-', '');
    expect(user.roles).toEqual([{ name: 'readWrite', db: `tocsin_${service.replaceAll('-', '_')}` }]);
    expect(user.passwordSecretRef.key).toBe(service);
    const address = `${user.connectionStringSecretName}/connectionString.standard`;
    expect(addresses(objects, service).get(service)).toBe(address);
    expect(prepared.get(service)).toBe(address);
  }
  expect(new Set(users.map((user) => user.scramCredentialsSecretName)).size).toBe(users.length);
});
