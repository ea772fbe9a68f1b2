import { expect, it } from '@jest/globals';
import { defineRoute } from './index.ts';

// The compiler is the test: it reports each of these comments whose next line compiles.
it('compiles only where the handler answers as the API description says', () => {
  const routes = [
    defineRoute({ operation: 'count-alerts', handle: () => Promise.resolve({ body: { data: { count: 1 } } }) }),
    // @ts-expect-error -- the count is missing
    defineRoute({ operation: 'count-alerts', handle: () => Promise.resolve({ body: { data: {} } }) }),
    // @ts-expect-error -- the count is a number
    defineRoute({ operation: 'count-alerts', handle: () => Promise.resolve({ body: { data: { count: '1' } } }) }),
    defineRoute({ operation: 'delete-team', handle: () => Promise.resolve({ body: { result: 'Deleted' as const } }) }),
    // @ts-expect-error -- the result is another word
    defineRoute({ operation: 'delete-team', handle: () => Promise.resolve({ body: { result: 'Gone' as const } }) }),
    // @ts-expect-error -- there is no such operation
    defineRoute({ operation: 'remove-team', handle: () => Promise.resolve({ body: { result: 'Deleted' as const } }) }),
  ];
  expect(routes.map(({ operation }) => operation)).toEqual([
    ...Array.from({ length: 3 }, () => 'count-alerts'),
    'delete-team',
    'delete-team',
    'remove-team',
  ]);
});
