import { describe, expect, it } from '@jest/globals';
import { defineInternalRoute, matchInternalRoute } from './internal-route.ts';

const handle = () => Promise.resolve({ body: {} });
const uses = defineInternalRoute({ method: 'GET', path: '/internal/uses', handle });
const defaults = defineInternalRoute({ method: 'PUT', path: '/internal/teams/:teamId/defaults', handle });

const matched = (method: string, path: string) => matchInternalRoute([uses, defaults], method, path);

describe('matchInternalRoute', () => {
  it('finds a route by method and path, and gives its parameters decoded', () => {
    expect(matched('GET', '/internal/uses')).toEqual({ route: uses, params: {} });
    expect(matched('PUT', '/internal/teams/a%2Fb%20c/defaults')).toEqual({
      route: defaults,
      params: { teamId: 'a/b c' },
    });
  });

  it.each([
    ['another method', 'POST', '/internal/uses'],
    ['a longer path', 'GET', '/internal/uses/x'],
    ['a shorter path', 'PUT', '/internal/teams/x'],
    ['another segment', 'PUT', '/internal/users/x/defaults'],
    ['an empty parameter', 'PUT', '/internal/teams//defaults'],
    ['a parameter that can not be decoded', 'PUT', '/internal/teams/%E0%A4%A/defaults'],
  ])('finds nothing for %s', (_, method, path) => {
    expect(matched(method, path)).toBeUndefined();
  });
});
