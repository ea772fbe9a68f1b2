import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { remoteBrokers, readKafkaSecurity, refusalOf } from './kafka-security.ts';

const [CA = ''] = rootCertificates;
const LOGIN = { KAFKA_SASL_USERNAME: 'tocsin', KAFKA_SASL_PASSWORD: 'a secret' };

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-kafka-security-'));
});
afterAll(() => {
  fs.rmSync(folder, { recursive: true });
});

describe('readKafkaSecurity', () => {
  test.each([{}, { KAFKA_SSL: 'false' }, { KAFKA_SSL: '', KAFKA_SASL_MECHANISM: '', KAFKA_SSL_CA: '' }])(
    'protects nothing with %j',
    (environment) => {
      expect(readKafkaSecurity(environment)).toEqual({ security: { ssl: undefined, sasl: undefined } });
    },
  );

  test('trusts the authorities of the system where none is given', () => {
    expect(readKafkaSecurity({ KAFKA_SSL: 'true' })).toEqual({ security: { ssl: {}, sasl: undefined } });
  });

  test('takes an authority as a text or out of a file', () => {
    const file = path.join(folder, 'ca.pem');
    fs.writeFileSync(file, CA);
    const wanted = { security: { ssl: { ca: CA }, sasl: undefined } };

    expect(readKafkaSecurity({ KAFKA_SSL: 'true', KAFKA_SSL_CA: CA })).toEqual(wanted);
    expect(readKafkaSecurity({ KAFKA_SSL: 'true', KAFKA_SSL_CA_FILE: file })).toEqual(wanted);
  });

  test.each(['plain', 'scram-sha-256', 'SCRAM-SHA-512'])('logs in by %s', (mechanism) => {
    expect(readKafkaSecurity({ KAFKA_SSL: 'true', KAFKA_SASL_MECHANISM: mechanism, ...LOGIN })).toMatchObject({
      security: { sasl: { mechanism: mechanism.toLowerCase(), username: 'tocsin', password: 'a secret' } },
    });
  });

  test.each<[Record<string, string>, RegExp]>([
    [{ KAFKA_SSL: 'yes' }, /^KAFKA_SSL should be true or false$/],
    [{ KAFKA_SSL_CA: CA }, /^KAFKA_SSL_CA: only with KAFKA_SSL=true$/],
    [{ KAFKA_SSL: 'true', KAFKA_SSL_CERT: CA }, /go together: set both/],
    [{ KAFKA_SSL: 'true', KAFKA_SSL_CA: CA, KAFKA_SSL_CA_FILE: '/ca.pem' }, /set one$|cannot be read/],
    [{ KAFKA_SSL: 'true', KAFKA_SSL_CA_FILE: '/no/such/file' }, /^KAFKA_SSL_CA_FILE cannot be read: ENOENT$/],
    [{ KAFKA_SSL: 'true', KAFKA_SSL_CA: '/etc/ca.pem' }, /^KAFKA_SSL_CA should hold PEM/],
    [{ KAFKA_SSL: 'true', KAFKA_SSL_CERT: CA, KAFKA_SSL_KEY: CA }, /cannot be used: /],
    [
      { KAFKA_SSL: 'true', KAFKA_SASL_MECHANISM: 'gssapi', ...LOGIN },
      /should be one of plain, scram-sha-256, scram-sha-512$/,
    ],
    [{ KAFKA_SSL: 'true', KAFKA_SASL_MECHANISM: 'plain' }, /^KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD: missing/],
    [{ ...LOGIN }, /^KAFKA_SASL_MECHANISM: missing/],
    [{ KAFKA_SASL_MECHANISM: 'plain', ...LOGIN }, /needs KAFKA_SSL=true/],
  ])('refuses %j', (environment, problem) => {
    const result = readKafkaSecurity(environment);

    expect(result).toEqual({ problems: [expect.stringMatching(problem)] });
    expect(JSON.stringify(result)).not.toContain('a secret');
  });

  test('reports every problem at once', () => {
    const environment = { KAFKA_SSL: 'yes', KAFKA_SSL_CA: 'x', KAFKA_SASL_MECHANISM: 'none' };

    expect(readKafkaSecurity(environment)).toMatchObject({ problems: { length: 4 } });
  });
});

describe('remoteBrokers', () => {
  test('leaves out what is on this machine', () => {
    const here = ['127.0.0.1:9092', 'localhost:9092', '[::1]:9092', '127.8.0.1:9092'];

    expect(remoteBrokers([...here, 'kafka:9092', '10.0.0.1:9092', '127.example.com:9092'])).toEqual([
      'kafka:9092',
      '10.0.0.1:9092',
      '127.example.com:9092',
    ]);
  });
});

describe('refusalOf', () => {
  test('is undefined for errors that may pass', () => {
    expect(refusalOf(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))).toBeUndefined();
    expect(refusalOf(undefined)).toBeUndefined();
  });

  test('finds the reason beneath the retries', () => {
    const reason = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });

    expect(refusalOf(new Error('retries exceeded', { cause: reason }))).toMatch(/KAFKA_SSL_CA.*self-signed/);
  });
});
