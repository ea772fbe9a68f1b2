import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { downloads, freePort, type OwnKafka, startKafka } from '@tocsin/testkit';

/** The user of a secured broker. */
export const LOGIN = { username: 'tocsin', password: 'correct horse' };
const STORE_PASSWORD = 'changeit';
const LOGIN_MODULES = 'org.apache.kafka.common.security';

export interface SecuredKafka {
  readonly broker: OwnKafka;
  /** The certificate of the broker, in PEM. It is self-signed. */
  readonly ca: string;
  stop(): Promise<void>;
}

/** A self-signed certificate in PEM for 127.0.0.1, and the key store of a broker with it. */
export function selfSigned(folder: string): { readonly store: string; readonly ca: string } {
  const store = path.join(folder, 'broker.p12');
  const keytool = (...args: readonly string[]): string =>
    execFileSync('keytool', [...args, '-keystore', store, '-storepass', STORE_PASSWORD, '-alias', 'broker'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const names = ['-dname', 'CN=127.0.0.1', '-ext', 'san=ip:127.0.0.1'];
  keytool(
    '-genkeypair',
    '-keyalg',
    'EC',
    '-groupname',
    'secp256r1',
    '-storetype',
    'PKCS12',
    '-validity',
    '2',
    ...names,
  );
  return { store, ca: keytool('-exportcert', '-rfc') };
}

/** Adds a user by the tool that comes with Kafka: the cluster itself stores the SCRAM credentials of users. */
function addScramUser(broker: string): void {
  const [jars = ''] = fs.globSync(path.join(downloads(), 'kafka-*', 'libs'));
  const user = ['--entity-type', 'users', '--entity-name', LOGIN.username];
  const change = ['--alter', '--add-config', `SCRAM-SHA-512=[password=${LOGIN.password}]`];
  const tool = ['-cp', path.join(jars, '*'), 'kafka.admin.ConfigCommand', '--bootstrap-server', broker];
  execFileSync('java', [...tool, ...change, ...user], { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** A real broker whose clients connect by TLS and log in. It connects to itself on another port. */
export async function startSecuredKafka(): Promise<SecuredKafka> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-secured-'));
  const { store, ca } = selfSigned(folder);
  const [port, inside, controller] = [await freePort(), await freePort(), await freePort()];
  const user = `user_${LOGIN.username}="${LOGIN.password}"`;
  const at = (host: string): string => `SASL_SSL://${host}:${port},INSIDE://${host}:${inside}`;
  const broker = await startKafka({
    port,
    settings: {
      listeners: `${at('127.0.0.1')},CONTROLLER://127.0.0.1:${controller}`,
      'advertised.listeners': at('127.0.0.1'),
      'controller.quorum.voters': `1@127.0.0.1:${controller}`,
      'listener.security.protocol.map': 'SASL_SSL:SASL_SSL,INSIDE:PLAINTEXT,CONTROLLER:PLAINTEXT',
      'inter.broker.listener.name': 'INSIDE',
      'ssl.keystore.type': 'PKCS12',
      'ssl.keystore.location': store,
      'ssl.keystore.password': STORE_PASSWORD,
      // A user may do everything that no rule of the resource restricts.
      'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      'allow.everyone.if.no.acl.found': 'true',
      'super.users': 'User:ANONYMOUS',
      'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-512',
      'listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config': `${LOGIN_MODULES}.scram.ScramLoginModule required;`,
      'listener.name.sasl_ssl.plain.sasl.jaas.config': `${LOGIN_MODULES}.plain.PlainLoginModule required ${user};`,
    },
  });
  addScramUser(`127.0.0.1:${inside}`);
  const stop = async (): Promise<void> => {
    await broker.stop();
    fs.rmSync(folder, { recursive: true });
  };
  return { broker, ca, stop };
}
