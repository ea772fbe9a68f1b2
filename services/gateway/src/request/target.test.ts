import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { requestTarget } from './target.ts';

describe('requestTarget', () => {
  it.each([
    ['/v2/alerts', '/v2/alerts', '/v2/alerts', undefined],
    ['/v2/alerts/?query=a%20b+c&limit=5', '/v2/alerts/', '/v2/alerts/?query=a%20b+c&limit=5', undefined],
    ['/v2/alerts?apiKey=k%2Dey+', '/v2/alerts', '/v2/alerts', 'k-ey '],
    ['/v2/alerts?a=%2B&apiKey=1&b=+&apiKey=2', '/v2/alerts', '/v2/alerts?a=%2B&b=+', '1'],
    ['/v2/alerts?apiKey=%E0%A4%A', '/v2/alerts', '/v2/alerts', '%E0%A4%A'],
    ['/v2/alerts?myapiKey=1', '/v2/alerts', '/v2/alerts?myapiKey=1', undefined],
    ['/v2/alerts?', '/v2/alerts', '/v2/alerts?', undefined],
    ['http://tocsin:8080/v2/alerts?limit=1', '/v2/alerts', '/v2/alerts?limit=1', undefined],
    ['http://tocsin:8080', '', '', undefined],
    ['*', '*', '*', undefined],
    ['/jsm/ops/integration/v2/alerts?limit=1', '/v2/alerts', '/v2/alerts?limit=1', undefined],
    ['/v1/json/integrations/webhooks/netdata?apiKey=1', '/v1/json/netdata', '/v1/json/netdata', '1'],
    ['/jsm/ops/integration/v1/json/integrations/webhooks/x', '/v1/json/x', '/v1/json/x', undefined],
  ])('takes %s apart', (url, path, forwarded, queryKey) => {
    expect(requestTarget(url)).toEqual({ path, forwarded, pathKey: undefined, queryKey });
  });

  it.each([
    ['/hooks/k%2Dey', '/hooks/-', 'k-ey'],
    ['/hooks/key/', '/hooks/-/', 'key'],
    ['/hooks/key/grafana?a=1&apiKey=other', '/hooks/-/grafana?a=1', 'key'],
    ['/jsm/ops/integration/hooks/key/grafana', '/hooks/-/grafana', 'key'],
    ['https://tocsin/hooks/key', '/hooks/-', 'key'],
    ['/hooks/%zz/a/b/c', '/hooks/-/a/b/c', '%zz'],
    ['/hooks/-/grafana', '/hooks/-/grafana', undefined],
    ['/hooks', '/hooks', undefined],
    ['/hooks/', '/hooks/', undefined],
  ])('cuts the key out of the path of %s (Q2)', (url, forwarded, pathKey) => {
    expect(requestTarget(url)).toMatchObject({ forwarded, pathKey });
  });

  it('never forwards a key, with any other query (K1)', () => {
    const part = fc.oneof(fc.constant('apiKey=secret'), fc.webQueryParameters());
    fc.assert(
      fc.property(fc.array(part, { minLength: 1 }), (parts) => {
        expect(requestTarget(`/v2/alerts?${parts.join('&')}`).forwarded).not.toMatch(/[?&]apiKey=/);
      }),
    );
  });

  it('never forwards a key of a path, whatever follows it (Q2)', () => {
    const end = fc.tuple(fc.webPath(), fc.webQueryParameters());
    fc.assert(
      fc.property(end, fc.constantFrom('', '/jsm/ops/integration', 'http://tocsin'), ([path, query], begin) => {
        const { path: read, forwarded } = requestTarget(`${begin}/hooks/1a2b3c4d-secret${path}?${query}`);
        expect(`${read} ${forwarded}`).not.toContain('1a2b3c4d-secret');
      }),
    );
  });
});
