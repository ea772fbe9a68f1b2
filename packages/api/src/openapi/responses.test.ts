import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from './document.ts';

const { paths, components } = openApiDocument('1.2.3');

describe('the 404 of a request that was accepted', () => {
  it('may say by a header that the request is still on its way, as no other 404 does (A8)', () => {
    const { responses } = paths?.['/v2/alerts/requests/{requestId}']?.get ?? {};
    expect(responses?.['404']).toEqual({ $ref: '#/components/responses/RefusalOrPending404' });
    expect(components?.responses).toMatchObject({
      RefusalOrPending404: { headers: { 'X-Opsgenie-Errortype': { schema: { const: 'RequestNotProcessed' } } } },
    });
    expect(components?.responses?.['Refusal404']).not.toHaveProperty('headers.X-Opsgenie-Errortype');
  });
});
