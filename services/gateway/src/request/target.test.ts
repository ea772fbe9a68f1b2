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
  ])('takes %s apart', (url, path, forwarded, apiKey) => {
    expect(requestTarget(url)).toEqual({ path, forwarded, apiKey });
  });

  it('never forwards a key, with any other query (K1)', () => {
    const part = fc.oneof(fc.constant('apiKey=secret'), fc.webQueryParameters());
    fc.assert(
      fc.property(fc.array(part, { minLength: 1 }), (parts) => {
        expect(requestTarget(`/v2/alerts?${parts.join('&')}`).forwarded).not.toMatch(/[?&]apiKey=/);
      }),
    );
  });
});
