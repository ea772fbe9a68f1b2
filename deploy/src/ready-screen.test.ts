import { describe, expect, test } from '@jest/globals';
import { readyScreen, type ReadyFacts } from './ready-screen.ts';

const FACTS: ReadyFacts = {
  gatewayHost: '127.0.0.1',
  gatewayPort: 18080,
  apiKey: '0b5c5c0e-5c2b-4b5a-9d43-3a0c3f1d9c11',
  secretsFile: '/repository/.tocsin/secrets.json',
  mailboxUrl: 'http://127.0.0.1:21000',
  mailPort: 2525,
  demo: true,
  hasConsole: true,
  ownerEmail: 'owner@example.com',
  data: '/repository/.tocsin',
};

describe('readyScreen', () => {
  test('begins with the line that scripts wait for', () => {
    expect(readyScreen(FACTS).split('\n')[0]).toBe('Tocsin is ready at http://127.0.0.1:18080');
  });

  test.each([
    ['0.0.0.0', '127.0.0.1'],
    ['192.0.2.7', '192.0.2.7'],
  ])('calls the API that listens at %s by %s', (gatewayHost, called) => {
    const screen = readyScreen({ ...FACTS, gatewayHost });
    expect([...new Set(screen.match(/[\d.]+(?=:18080)/g))]).toEqual([called]);
  });

  test('fits one screen and holds the key, the mailbox, the port for mail and a request that pages a user', () => {
    const screen = readyScreen(FACTS);

    expect(screen.split('\n').length).toBeLessThanOrEqual(24);
    expect(screen).toContain(`Authorization: GenieKey ${FACTS.apiKey}`);
    expect(screen).toContain('http://127.0.0.1:21000');
    expect(screen).toContain('127.0.0.1:2525 (SMTP)');
    expect(screen).toContain('http://127.0.0.1:18080/docs');
    expect(screen).toContain('"responders":[{"type":"escalation","name":"Demo pages both"}]');
  });

  test('holds a command line that says who is on call', () => {
    const command = (key: string) => `TOCSIN_URL=http://127.0.0.1:18080 TOCSIN_KEY=${key} npm run -s tocsin -- who`;

    expect(readyScreen(FACTS)).toContain(command(FACTS.apiKey ?? ''));
    expect(readyScreen({ ...FACTS, apiKey: undefined })).toContain(command('$KEY'));
  });

  test('pages the owner where there is no demo', () => {
    expect(readyScreen({ ...FACTS, demo: false, ownerEmail: 'owner@example.com' })).toContain(
      '"responders":[{"type":"user","username":"owner@example.com"}]',
    );
  });

  test('says where the key is instead of the key where it may not be shown', () => {
    const screen = readyScreen({ ...FACTS, apiKey: undefined });

    expect(screen).toContain(`KEY=$(node -p 'require("/repository/.tocsin/secrets.json").apiKey')`);
    expect(screen).toContain('"Authorization: GenieKey $KEY"');
    expect(screen).not.toContain('undefined');
  });

  test('says where the console is and how to sign in, where there is a console', () => {
    const line = '  Console   http://127.0.0.1:18080/console/, sign in as';
    expect(readyScreen(FACTS)).toContain(`${line} owner@example.com, with the code that is in the mailbox`);
    const alone = { ...FACTS, mailboxUrl: undefined };
    expect(readyScreen(alone)).toContain(`${line} owner@example.com, with the code that is mailed`);
    expect(readyScreen({ ...FACTS, hasConsole: false })).not.toMatch(/console/i);
  });

  test('names the mail server of the caller where there is no mailbox', () => {
    expect(readyScreen({ ...FACTS, mailboxUrl: undefined })).toContain('SMTP_URL');
  });
});
