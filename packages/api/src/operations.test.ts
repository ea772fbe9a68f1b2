import { describe, expect, it } from '@jest/globals';
import { DOMAINS, isReadOnly } from './operation.ts';
import { operation, OPERATIONS } from './operations.ts';
import { HEADERS_OF_TOOLS } from './resources/hooks.ts';

const rightsOf = (paths: RegExp) =>
  new Set(OPERATIONS.filter(({ path }) => paths.test(path)).map(({ right }) => right));

describe('the operation table', () => {
  it('names every operation once', () => {
    expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
  });

  it('holds every method of every path once', () => {
    const lines = OPERATIONS.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(new Set(lines).size).toBe(lines.length);
  });

  it.each(OPERATIONS.map((entry) => [entry.id, entry] as const))('writes %s in the form of the table', (id, entry) => {
    expect(id).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
    expect(entry.path).toMatch(
      /^\/(v[12]|acknowledge|callbacks|hooks|console\/api)(\/([a-z][a-z0-9-]*|\{[a-zA-Z]+\}(\.ics)?))+$/,
    );
    expect(entry.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(operation(id)).toBe(entry);
  });

  it('lets a key without configuration access do all alert work, ping and ask about itself, and nothing else (K3)', () => {
    const free = OPERATIONS.filter(({ right }) => right === 'read' || right === 'send' || right === 'write').filter(
      ({ path }) => !path.startsWith('/v2/alerts') && !path.startsWith('/v2/users/saved-searches'),
    );
    expect([...new Set(free.map(({ path }) => path))]).toEqual([
      '/hooks/{key}',
      '/hooks/{key}/{preset}',
      '/v1/json/{vendor}',
      '/v2/enqueue',
      '/v2/integrations/authenticate',
      '/v2/heartbeats/{heartbeatName}/ping',
      '/v2/request-limits',
    ]);
    expect(rightsOf(/^\/v2\/alerts(?!\/simulate|\/\{\w+\}\/next-page)/)).toEqual(new Set(['read', 'write']));
  });

  it('opens to the holder of a link what the link names, and nothing else (A13)', () => {
    const open = OPERATIONS.filter(({ right }) => right === 'link');
    expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v2/attachments/{token}',
      'GET /v2/calendars/{token}.ics',
      'GET /acknowledge/{token}',
      'POST /acknowledge/{token}',
    ]);
  });

  it('takes from providers without a key the receipts and answers of messages, and nothing else (U18)', () => {
    const calls = OPERATIONS.filter(({ right }) => right === 'callback');
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /callbacks/{provider}']);
    // The list of what a caller may send to a service is short: what a provider signs, and what a calendar program has already.
    const passing = OPERATIONS.filter(({ passedHeaders }) => passedHeaders !== undefined);
    expect(passing.map(({ id, passedHeaders }) => [id, passedHeaders])).toEqual(
      expect.arrayContaining([
        ['take-callback', ['x-twilio-signature', 'x-slack-signature', 'x-slack-request-timestamp']],
        ['export-schedule', ['if-none-match']],
        ['export-on-calls', ['if-none-match']],
        ['open-calendar-link', ['if-none-match']],
      ]),
    );
    const ofSignIn = passing.filter(({ path }) => path.startsWith('/console/api/'));
    expect(new Set(ofSignIn.flatMap(({ passedHeaders = [] }) => passedHeaders))).toEqual(
      new Set(['cookie', 'user-agent']),
    );
    const ofTools = passing.filter(({ keyPlaces }) => keyPlaces !== undefined);
    expect(new Set(ofTools.flatMap(({ passedHeaders = [] }) => passedHeaders))).toEqual(new Set(HEADERS_OF_TOOLS));
    expect(HEADERS_OF_TOOLS.filter((name) => /auth|cookie|key|secret|sign|token|pass/.test(name))).toEqual([
      'idempotency-key',
    ]);
    expect(passing).toHaveLength(4 + ofSignIn.length + ofTools.length);
  });

  it('opens signing in to callers without a key, and to signed-in persons their own sessions alone (K20, K21)', () => {
    const requestsOf = (right: string) =>
      OPERATIONS.filter((each) => each.right === right).map(({ method, path }) => `${method} ${path}`);
    expect(requestsOf('sign-in')).toEqual([
      'POST /console/api/sign-in',
      'POST /console/api/sign-in/redeem',
      'GET /console/api/sign-in',
      'POST /console/api/sign-in/openid',
      'POST /console/api/sign-in/openid/redeem',
    ]);
    expect(requestsOf('session')).toEqual([
      'POST /console/api/sign-out',
      'GET /console/api/session',
      'GET /console/api/sessions',
      'DELETE /console/api/sessions/{id}',
      'GET /console/api/changes',
    ]);
    expect(
      OPERATIONS.filter(({ path, right }) => path.startsWith('/console/') !== /^(sign-in|session)$/.test(right)),
    ).toEqual([]);
  });

  it('takes keys in paths and bodies for the requests of tools, and nothing else (Q2)', () => {
    const named = OPERATIONS.filter(({ keyPlaces }) => keyPlaces !== undefined);
    expect(named.map(({ method, path, keyPlaces }) => [method, path, keyPlaces])).toEqual([
      ...['POST', 'PUT', 'GET'].map((method) => [method, '/hooks/{key}', 'path']),
      ...['POST', 'PUT', 'GET'].map((method) => [method, '/hooks/{key}/{preset}', 'path']),
      ['POST', '/v1/json/{vendor}', 'apiKey'],
      ['POST', '/v2/enqueue', 'routing_key'],
    ]);
    expect(OPERATIONS.filter(({ path }) => path.includes('{key}'))).toHaveLength(6);
  });

  it('asks for write access wherever a method other than GET changes something (K3)', () => {
    const harmless = OPERATIONS.filter(({ method, right }) => method !== 'GET' && right.startsWith('read'));
    expect([...new Set(harmless.map(({ path }) => path))]).toEqual([
      '/v2/alerts/simulate',
      '/v2/integrations/authenticate',
      '/v2/integrations/{integrationId}/try',
      '/v2/heartbeats/{heartbeatName}/ping',
      '/v2/policies/evaluate',
      '/v2/schedules/{identifier}/timeline/simulate',
      '/v2/schedules/{identifier}/timeline/simulate-rotation',
    ]);
    // A tool that can do no more than call a URL (Q1).
    const changing = OPERATIONS.filter((each) => each.method === 'GET' && !isReadOnly(each));
    expect(changing.map(({ id }) => id)).toEqual(['take-hook-by-get', 'take-hook-of-preset-by-get']);
    expect(OPERATIONS.filter(({ method, right }) => method === 'GET' && right.startsWith('write'))).toEqual([]);
  });

  it('lets a key that only sends send requests of tools, and nothing else (K3)', () => {
    const sending = OPERATIONS.filter(({ right }) => right === 'send');
    expect([...new Set(sending.map(({ path }) => path))]).toEqual([
      '/hooks/{key}',
      '/hooks/{key}/{preset}',
      '/v1/json/{vendor}',
      '/v2/enqueue',
    ]);
  });

  it('keeps team keys away from what belongs to the account (K8)', () => {
    const refused = OPERATIONS.filter(({ teamKeys }) => teamKeys === 'refused').map(({ id }) => id);
    expect(refused).toEqual(
      expect.arrayContaining([
        'create-team',
        'delete-team',
        'create-role',
        'create-integration',
        'create-integration-action',
        'rotate-integration-key',
        'create-user',
        'update-contact',
        'update-forwarding-rule',
        'delete-notification-rule',
        'list-policies',
        'change-policy-order',
      ]),
    );
    expect(refused).not.toEqual(expect.arrayContaining(['update-team']));
    expect(refused).not.toEqual(expect.arrayContaining(['delete-integration']));
    expect(refused.filter((id) => id.endsWith('-v2') || id === 'evaluate-policies')).toEqual([]);
  });

  it('counts the reads of who is on call apart from configuration, and what an account is with it (F6)', () => {
    const onCalls = OPERATIONS.filter(({ domain }) => domain === 'schedule-oncalls').map(({ id }) => id);
    expect(onCalls).toEqual([
      'list-on-calls',
      'get-on-calls',
      'get-next-on-calls',
      'export-on-calls',
      'open-calendar-link',
    ]);
    expect(operation('get-account').domain).toBe('configuration');
    expect(new Set(OPERATIONS.map(({ domain }) => domain))).toEqual(new Set(DOMAINS));
  });

  it('bounds the body of every operation that may have one, and of switches at 16 KiB (E2)', () => {
    const bound = OPERATIONS.filter(({ maxBodyBytes }) => maxBodyBytes !== undefined);
    expect(bound).toEqual(OPERATIONS.filter(({ method, transfer }) => method !== 'GET' && transfer !== 'upload'));
    const switches = OPERATIONS.filter(
      ({ id, method }) => /^(en|dis)able-|^authenticate-|^ping-/.test(id) && method !== 'GET',
    );
    expect(new Set(switches.map(({ maxBodyBytes }) => maxBodyBytes))).toEqual(new Set([16_384]));
    expect(operation('create-alert').maxBodyBytes).toBe(262_144);
  });

  it('leaves out what the installation does not offer (E15)', () => {
    expect(OPERATIONS.filter(({ path }) => /incident|\/services|deployments|\/v2\/logs/.test(path))).toEqual([]);
  });
});
