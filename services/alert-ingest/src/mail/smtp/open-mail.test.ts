import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generate } from 'selfsigned';
import { certificateOf } from './open-mail.ts';

let folder: string;
const file = (name: string) => path.join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tocsin-mail-'));
  for (const name of ['one', 'other']) {
    const made = await generate([{ name: 'commonName', value: 'alerts.example.com' }], { keySize: 2048 });
    await writeFile(file(`${name}.crt`), made.cert);
    await writeFile(file(`${name}.key`), made.private);
  }
});
afterAll(() => rm(folder, { recursive: true }));

describe('the certificate of the mail listener', () => {
  it('is none where none is set, else that of the files', async () => {
    expect(await certificateOf({ smtpTlsCertFile: undefined, smtpTlsKeyFile: undefined })).toBeUndefined();
    const certificate = await certificateOf({ smtpTlsCertFile: file('one.crt'), smtpTlsKeyFile: file('one.key') });
    expect(String(certificate?.cert)).toContain('BEGIN CERTIFICATE');
  });

  it.each([
    ['none.crt', 'one.key', 'SMTP_TLS_CERT_FILE can not be read: .*ENOENT'],
    ['one.crt', 'none.key', 'SMTP_TLS_KEY_FILE can not be read: .*ENOENT'],
    ['one.crt', 'other.key', 'SMTP_TLS_CERT_FILE and SMTP_TLS_KEY_FILE do not go together'],
    ['one.key', 'one.crt', 'SMTP_TLS_CERT_FILE and SMTP_TLS_KEY_FILE do not go together'],
  ])('of %s and %s is refused naming the setting', async (cert, key, said) => {
    await expect(certificateOf({ smtpTlsCertFile: file(cert), smtpTlsKeyFile: file(key) })).rejects.toThrow(
      new RegExp(said),
    );
  });
});
