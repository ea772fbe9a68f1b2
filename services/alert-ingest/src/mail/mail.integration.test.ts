import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { AlertCommand, AlertCommands, ALL_TOPICS } from '@tocsin/events';
import { PRINCIPAL_HEADER, PrincipalSigner } from '@tocsin/http';
import { ensureTopics, KafkaConnection } from '@tocsin/kafka';
import { createLogger, composeService, type ServiceContext } from '@tocsin/service';
import { eventually, followTopics, freePort, serviceEnvironment, SIGNING_KEY } from '@tocsin/testkit';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { compose } from '../compose.ts';
import { Config } from '../config.ts';
import { dropDatabase } from '../testing/drop-database.ts';
import { ACCOUNT } from '../testing/app-fixture.ts';

const commands: AlertCommand[] = [];
let config: Config;
let kafka: KafkaConnection;
let service: ServiceContext<Config>;
let endReading: () => Promise<void>;

const start = () => composeService({ name: 'alert-ingest', config, compose, clock: systemClock });

beforeAll(async () => {
  const { brokers, topicPrefix, environment } = await serviceEnvironment();
  await ensureTopics({ brokers, prefix: topicPrefix, topics: ALL_TOPICS, partitions: 2 });
  config = Config.parse({
    ...environment,
    LOG_LEVEL: 'silent',
    EMAIL_DOMAIN: 'alerts.example.com',
    BOOTSTRAP_API_KEY: randomUUID(),
    PORT: await freePort(),
    ADMIN_PORT: await freePort(),
    SMTP_PORT: await freePort(),
    // No service stores files there.
    ALERT_PROCESSOR_URL: `http://127.0.0.1:${await freePort()}`,
  });
  kafka = new KafkaConnection({
    brokers,
    clientId: 'test',
    topicPrefix,
    logger: createLogger('alert-ingest', 'silent'),
  });
  endReading = await followTopics(kafka, [AlertCommands], ({ value }) => {
    commands.push(AlertCommand.parse(JSON.parse(String(value))));
  });
  service = await start();
  const response = await fetch(`http://127.0.0.1:${config.common.port}/v2/integrations`, {
    method: 'POST',
    headers: {
      [PRINCIPAL_HEADER]: await new PrincipalSigner([SIGNING_KEY]).sign(ACCOUNT, 'alert-ingest', systemClock.now()),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ type: 'Email', name: 'Mail', emailUsername: 'ops' }),
  });
  if (response.status !== 201) throw new Error(`The mailbox was answered ${response.status}.`);
});

afterAll(async () => {
  await service.lifecycle.stop();
  await endReading();
  await kafka.stop();
  await dropDatabase(config);
});

async function send(mail: SendMailOptions): Promise<string> {
  const transport = createTransport({ host: '127.0.0.1', port: config.smtpPort, ignoreTLS: true });
  try {
    const { response } = await transport.sendMail({
      from: 'ada@example.com',
      to: 'ops@alerts.example.com',
      text: 'on db-1',
      ...mail,
    });
    return /accepted as (\S+)$/.exec(response)?.[1] ?? '';
  } finally {
    transport.close();
  }
}

const of = (subject: string) =>
  commands.filter((command) => command.kind === 'create' && command.alert.message === subject);

describe('the composed service', () => {
  it('takes mail where its port is set, is ready only then, and counts it', async () => {
    const requestId = await send({ subject: 'Disk full' });
    await eventually(() => {
      expect(of('Disk full')).toMatchObject([{ requestId, actor: 'ada@example.com' }]);
    });
    expect(await service.health.missing()).toEqual([]);
    expect((await service.metrics.text()).body).toMatch(/^tocsin_mails_taken_total\{[^}]*\} 1$/m);
  });

  it('defers a mail whose files cannot be stored now', async () => {
    const mail = { subject: 'Graph', attachments: [{ filename: 'graph.png', content: 'png' }] };
    await expect(send(mail)).rejects.toMatchObject({ responseCode: 451 });
    expect((await service.metrics.text()).body).toMatch(/^tocsin_mails_put_off_total\{[^}]*\} 1$/m);
    await send({ subject: 'After it' });
    await eventually(() => {
      expect(of('After it')).toHaveLength(1);
    });
    expect(of('Graph')).toEqual([]);
  });

  it('names what a mail is known by alike after a restart, and takes none in between', async () => {
    const mail = { subject: 'Twice', messageId: '<1@example.com>', date: '2026-01-01T00:00:00Z' };
    const requestId = await send(mail);
    await service.lifecycle.stop();
    expect(await service.health.missing()).toContain('mail');
    await expect(send(mail)).rejects.toMatchObject({ code: 'ESOCKET' });
    service = await start();
    const again = await send(mail);
    await eventually(() => {
      expect(of('Twice').map((command) => command.requestId)).toEqual([requestId, again]);
    });
    const [one, other] = of('Twice').map((command) => command.mail);
    expect(one).toBeDefined();
    expect(other).toEqual(one);
  });
});
