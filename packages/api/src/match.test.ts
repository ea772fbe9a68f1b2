import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { matchOperation } from './match.ts';
import type { Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';

/** Values that no fixed segment equals and that end in no suffix. */
const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => `x-${text}`);

const matched = (method: string, path: string): string | undefined => {
  const match = matchOperation(method, path);
  return match.outcome === 'matched' ? match.operation.id : undefined;
};

const fill = (operation: Operation, values: readonly string[]): string => {
  let next = 0;
  return operation.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(values[next++] ?? ''));
};

describe('matchOperation', () => {
  it.each(OPERATIONS.map((entry) => [`${entry.method} ${entry.path}`, entry] as const))(
    'finds %s whatever its parameters hold, and gives them back decoded',
    (_, entry) => {
      fc.assert(
        fc.property(fc.array(value, { minLength: 4, maxLength: 4 }), fc.boolean(), (values, slash) => {
          const match = matchOperation(entry.method, fill(entry, values) + (slash ? '/' : ''));
          const names = entry.path.match(/(?<=\{)\w+/g) ?? [];
          expect(match).toEqual({
            outcome: 'matched',
            operation: entry,
            params: Object.fromEntries(names.map((name, index) => [name, values[index]])),
          });
        }),
        { numRuns: 20 },
      );
    },
  );

  it.each([
    ['GET', '/v2/alerts/count', 'count-alerts'],
    ['GET', '/v2/alerts/saved-searches', 'list-saved-searches'],
    ['GET', '/v2/alerts/requests/x', 'get-request-status'],
    ['GET', '/v2/schedules/on-calls', 'list-on-calls'],
    ['GET', '/v2/schedules/x/on-calls', 'get-on-calls'],
    ['GET', '/v2/schedules/on-calls/ada@example.com.ics', 'export-on-calls'],
    ['GET', '/v2/schedules/Ops.ics', 'export-schedule'],
    ['GET', '/v2/schedules/.ics', 'get-schedule'],
    ['GET', '/v2/users/saved-searches', 'list-user-saved-searches'],
    ['PATCH', '/v2/users/x/notification-rules/copy-to', 'copy-notification-rules'],
    ['POST', '/v2/alerts/count/close', 'close-alert'],
    ['GET', '/v2/alerts/co%75nt', 'get-alert'],
    ['DELETE', '/v2/alerts/count', 'delete-alert'],
    ['POST', '/v2/alerts/requests/close', 'close-alert'],
    ['POST', '/v2/alerts/saved-searches/acknowledge', 'acknowledge-alert'],
    ['POST', '/v2/alerts/saved-searches/notes', 'add-note'],
    ['PATCH', '/v2/schedules/Ops.ics', 'update-schedule'],
  ])('reads %s %s as %s: a fixed segment wins where it leads to an operation of the method', (method, path, id) => {
    expect(matched(method, path)).toBe(id);
  });

  it('keeps a plus a plus', () => {
    expect(matchOperation('GET', '/v2/users/a+b@example.com/contacts')).toMatchObject({
      params: { userIdentifier: 'a+b@example.com' },
    });
  });

  it('names the methods that a known path does take', () => {
    expect(matchOperation('PATCH', '/v2/alerts')).toEqual({ outcome: 'method-not-allowed', allowed: ['POST', 'GET'] });
    expect(matchOperation('PUT', '/v2/alerts/requests/close')).toEqual({
      outcome: 'method-not-allowed',
      allowed: ['GET', 'POST'],
    });
    expect(matchOperation('get', '/v2/alerts')).toMatchObject({ outcome: 'method-not-allowed' });
  });

  it.each([
    '/',
    '',
    '/v2',
    '/v2/alerts//close',
    '//v2/alerts',
    '/v2/alerts//',
    '/v2/alerts/%E0%A4%A',
    '/v2/Alerts',
    'v2/alerts',
  ])('finds nothing at %s', (path) => {
    expect(matchOperation('GET', path)).toEqual({ outcome: 'not-found' });
  });

  it.each(['/v1/incidents', '/v1/services/x', '/v2/deployments', '/v2/logs/list/x', '/v1/incident-templates'])(
    'finds nothing at %s, which is not offered (E15)',
    (path) => {
      expect(matchOperation('GET', path)).toEqual({ outcome: 'not-found' });
    },
  );

  it('answers whatever is asked', () => {
    fc.assert(
      fc.property(fc.constantFrom('GET', 'POST', 'OPTIONS', ''), fc.string(), (method, path) => {
        expect(['matched', 'method-not-allowed', 'not-found']).toContain(matchOperation(method, `/v2${path}`).outcome);
      }),
    );
  });
});
